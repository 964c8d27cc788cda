// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/backend.hpp>
#include <cstddef>

namespace cartwright::comm {

/// The MPI library's own collectives: the baseline. Blocking calls take MPI's blocking forms
/// always: whether something else is in flight may differ between ranks, and MPI matches a blocking
/// collective with no other form.
class NativeBackend final : public Backend {
 public:
  /// MPI counts elements with an int; more than `chunk` of them go in several calls.
  explicit NativeBackend(std::size_t chunk = std::size_t{1} << 30) : chunk_(chunk) {}

  [[nodiscard]] std::string_view name() const noexcept override { return "native"; }
  void barrier(const rt::Communicator& comm) override;
  void broadcast(const rt::Communicator& comm, Values values, rt::Rank root) override;
  void reduce(const rt::Communicator& comm, Values values, Operator op, rt::Rank root) override;
  void allreduce(const rt::Communicator& comm, Values values, Operator op) override;
  Started start_barrier(const rt::Communicator& comm) override;
  Started start_broadcast(const rt::Communicator& comm, Values values, rt::Rank root) override;
  Started start_reduce(const rt::Communicator& comm, Values values, Operator op,
                       rt::Rank root) override;
  Started start_allreduce(const rt::Communicator& comm, Values values, Operator op) override;

 private:
  std::size_t chunk_;
};

}  // namespace cartwright::comm
