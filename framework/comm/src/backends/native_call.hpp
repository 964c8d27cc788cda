// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cartwright/comm/calls/call.hpp>
#include <cartwright/comm/execution/p2p_channel.hpp>
#include <cartwright/rt/communicator.hpp>
#include <cartwright/rt/mpi_check.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "native_types.hpp"

namespace cartwright::comm {

/// What native calls have in common.
struct NativeSetting {
  const rt::Communicator* comm = nullptr;
  const P2pChannel* messages = nullptr;
  std::uint64_t* sequence = nullptr;  ///< of collectives that are messages
  NativeTypes* types = nullptr;
  std::size_t chunk = 0;
};

/// One collective as calls of MPI: blocking, or started and then finished. Holds what MPI reads
/// while it is under way.
class NativeCall {
 public:
  /// `call` must outlive this.
  NativeCall(const Call& call, const NativeSetting& setting)
      : call_(call), setting_(setting), comm_(setting.comm->handle()) {}

  void run() {
    issue();
    if (!requests_.empty()) wait();
    finish();
  }
  void start() {
    starts_ = true;
    requests_.clear();
    issue();
  }
  /// True when all that was started is complete, the result in its place.
  bool test();
  [[nodiscard]] bool is_under_way() const noexcept { return !requests_.empty(); }

 private:
  /// MPI's blocking form, or the one that starts. The arguments are those that both have.
  template <class Blocking, class Starting, class... Arguments>
  void call_mpi(const char* name, Blocking blocking, Starting starting, Arguments... arguments) {
    rt::mpi_check(starts_ ? starting(arguments..., comm_, add()) : blocking(arguments..., comm_),
                  name);
  }
  MPI_Request* add() { return &requests_.emplace_back(MPI_REQUEST_NULL); }

  void issue();
  void wait();
  void finish();
  void vectors(MPI_Datatype type);
  void scatter_sums(MPI_Datatype type);
  void even_blocks(MPI_Datatype element);
  void uneven_blocks(MPI_Datatype type);
  void as_messages();

  /// Calls `each(first element, count)` for parts that MPI can count.
  template <class Each>
  void in_chunks(std::size_t total, Each&& each) const {
    for (std::size_t done = 0; done < total; done += setting_.chunk)
      each(static_cast<plan::Count>(done),
           static_cast<int>(std::min(setting_.chunk, total - done)));
  }
  void send(const std::byte* data, plan::Count count, int to, int tag);
  void receive(std::byte* data, plan::Count count, int from, int tag);

  [[nodiscard]] bool in_place() const { return call_.place == plan::Place::in_place; }
  [[nodiscard]] bool is_root() const { return me() == call_.root.value; }
  [[nodiscard]] int me() const { return setting_.comm->rank().value; }
  [[nodiscard]] int ranks() const { return setting_.comm->size(); }
  [[nodiscard]] std::size_t bytes(plan::Count elements) const {
    return static_cast<std::size_t>(elements) * call_.element.size;
  }
  /// First element of a rank's block.
  [[nodiscard]] plan::Count begin_of(int rank) const {
    return call_.has_uneven_blocks() ? call_.offsets[static_cast<std::size_t>(rank)]
                                     : rank * call_.count;
  }
  [[nodiscard]] plan::Count length_of(int rank) const {
    return begin_of(rank + 1) - begin_of(rank);
  }
  /// What MPI wants to be told of the input, and of the input from an element on.
  [[nodiscard]] const void* source(plan::Count first = 0) const {
    return in_place() ? MPI_IN_PLACE : static_cast<const void*>(call_.input + bytes(first));
  }
  [[nodiscard]] std::byte* target(plan::Count first = 0) const {
    return call_.output == nullptr ? nullptr : call_.output + bytes(first);
  }

  const Call& call_;
  NativeSetting setting_;
  MPI_Comm comm_;
  bool starts_ = false;
  bool result_at_front_ = false;  // of a reduce_scatter in place
  std::vector<MPI_Request> requests_;
  std::vector<int> counts_, places_;  // of blocks that differ
  std::vector<std::byte> copy_;       // of what messages read and overwrite
};

}  // namespace cartwright::comm
