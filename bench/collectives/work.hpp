// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cartwright/comm/calls/call.hpp>
#include <cartwright/rt/communicator.hpp>
#include <cstddef>
#include <vector>

namespace cartwright::bench {

/// A collective of doubles (sums, where it reduces) at root 0: its memory, how it is called through
/// ours and by hand.
class Work {
 public:
  /// `bytes` of the larger buffer of a rank; at least one element in each block.
  Work(const rt::Communicator& comm, plan::Operation operation, std::size_t bytes);

  [[nodiscard]] const comm::Call& call() const { return call_; }
  /// MPI's own function.
  void by_mpi();

 private:
  MPI_Comm comm_;
  std::vector<double> input_, output_;
  comm::Call call_;
};

}  // namespace cartwright::bench
