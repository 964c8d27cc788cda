// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/backend.hpp>
#include <cartwright/rt/communicator.hpp>
#include <cstddef>

namespace cartwright::comm {

/// The MPI library's own collectives: the baseline. Blocking calls take MPI's blocking forms
/// always: whether something else is in flight may differ between ranks, and MPI matches a blocking
/// collective with no other form.
class NativeBackend final : public Backend {
 public:
  /// `comm` must outlive this. MPI counts elements with an int; more than `chunk` of them go in
  /// several calls.
  explicit NativeBackend(const rt::Communicator& comm, std::size_t chunk = std::size_t{1} << 30)
      : comm_(&comm), chunk_(chunk) {}

  [[nodiscard]] std::string_view name() const noexcept override { return "native"; }
  void run(const Call& call) override;
  [[nodiscard]] std::unique_ptr<Prepared> prepare(const Call& call) override;

 private:
  const rt::Communicator* comm_;
  std::size_t chunk_;
};

}  // namespace cartwright::comm
