// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/backend.hpp>
#include <cartwright/comm/execution/p2p_channel.hpp>
#include <cartwright/rt/communicator.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace cartwright::comm {

class NativeTypes;

/// The MPI library's own collectives: the baseline. Blocking calls take MPI's blocking forms
/// always: whether something else is in flight may differ between ranks, and MPI matches a blocking
/// collective with no other form.
///
/// What MPI 3.1 can't say with its ints goes otherwise: vectors in several calls, blocks as one
/// element of a larger type, blocks of different lengths as messages. Blocks of different lengths
/// in an alltoall always are messages: only the rank that has them could tell whether they fit.
class NativeBackend final : public Backend {
 public:
  static constexpr std::size_t largest_count = std::size_t{1} << 30;

  /// Collective. `comm` must outlive this. `chunk`: more elements than these aren't counted in one
  /// call.
  explicit NativeBackend(const rt::Communicator& comm, std::size_t chunk = largest_count);
  ~NativeBackend() override;

  [[nodiscard]] std::string_view name() const noexcept override { return "native"; }
  /// Throws internal_failure for an operator with a state: MPI gives its functions no context.
  void run(const Call& call) override;
  [[nodiscard]] std::unique_ptr<Prepared> prepare(const Call& call) override;

 private:
  const rt::Communicator* comm_;
  std::size_t chunk_;
  P2pChannel messages_;
  std::uint64_t sequence_ = 0;  // of collectives that are messages
  std::unique_ptr<NativeTypes> types_;
};

}  // namespace cartwright::comm
