// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cartwright/rt/communicator.hpp>

namespace cartwright::mapping::testing {

/// A communicator of all ranks, of the test's own.
inline rt::Communicator world() {
  return rt::Communicator::duplicate(MPI_COMM_WORLD);
}

}  // namespace cartwright::mapping::testing
