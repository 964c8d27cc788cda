// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/backends/backend.hpp>
#include <cartwright/comm/calls/arguments.hpp>
#include <cartwright/rt/aligned_memory.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace cartwright::comm::detail {

/// A call whose scattered buffers lie packed in buffers of its own; but for one by a device's own
/// addresses, which goes as it is.
class PackedCall {
 public:
  explicit PackedCall(const Arguments& arguments);

  /// What a backend is to carry out.
  [[nodiscard]] const Call& call() const { return call_; }
  /// Before it starts; the output too, since not all of it need be written. Where it goes as it is,
  /// the device finishes what it has to do.
  void pack() const;
  /// When it is complete.
  void unpack() const;

 private:
  [[nodiscard]] static rt::AlignedMemory allocate(const Call& call, const Scatter& scatter);

  Arguments original_;
  Call call_;
  rt::AlignedMemory input_;
  rt::AlignedMemory output_;
};

/// A collective together with what must live as long: packed buffers and how they are scattered,
/// offsets, an operator. In another epoch of the backend it is made ready again when it starts.
class KeptCollective final : public Prepared {
 public:
  KeptCollective(Backend& backend, const Arguments& arguments, std::shared_ptr<const void> keep);

  void start() override;
  bool advance() override;
  void awaited() override { inner_->awaited(); }
  [[nodiscard]] std::uint64_t moves() const noexcept override { return inner_->moves(); }
  [[nodiscard]] rt::WaitSite wait_site() const noexcept override { return inner_->wait_site(); }
  [[nodiscard]] std::optional<rt::Rank> waiting_for() const override {
    return inner_->waiting_for();
  }

 private:
  [[nodiscard]] Arguments with_own_lists(Arguments arguments);

  std::shared_ptr<const void> keep_;
  std::vector<plan::Count> offsets_;
  std::vector<plan::Count> output_offsets_;
  std::optional<Pieces> input_pieces_;
  std::optional<Pieces> output_pieces_;
  PackedCall packed_;
  Backend* backend_;
  std::uint32_t epoch_;
  std::unique_ptr<Prepared> inner_;
};

}  // namespace cartwright::comm::detail
