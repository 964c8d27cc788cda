// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cartwright/rt/communicator.hpp>
#include <vector>

namespace cartwright::mapping::testing {

/// A communicator of all ranks, of the test's own.
inline rt::Communicator world() {
  return rt::Communicator::duplicate(MPI_COMM_WORLD);
}

/// What each rank says, in the order of the ranks.
inline std::vector<int> gather(const rt::Communicator& comm, int mine) {
  std::vector<int> all(static_cast<std::size_t>(comm.size()));
  MPI_Allgather(&mine, 1, MPI_INT, all.data(), 1, MPI_INT, comm.handle());
  return all;
}

}  // namespace cartwright::mapping::testing
