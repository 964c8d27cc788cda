// SPDX-License-Identifier: Apache-2.0
#include <cartwright/rt/mpi_check.hpp>
#include <cartwright/rt/point_to_point.hpp>
#include <cartwright/rt/sleeping_barrier.hpp>
#include <thread>

namespace cartwright::rt {

void sleeping_barrier(const Communicator& comm, std::chrono::microseconds nap) {
  MPI_Request request = MPI_REQUEST_NULL;
  mpi_check(MPI_Ibarrier(comm.handle(), &request), "MPI_Ibarrier");
  Message barrier(request, false);
  while (!barrier.test()) std::this_thread::sleep_for(nap);
}

}  // namespace cartwright::rt
