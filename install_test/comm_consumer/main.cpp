// SPDX-License-Identifier: Apache-2.0
// MPI is started and stopped by this program, as an existing MPI code would.
#include <mpi.h>

#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/rt/communicator.hpp>
#include <cartwright/rt/request.hpp>
#include <cstdio>

namespace rt = cartwright::rt;
namespace comm = cartwright::comm;

static int ranks_in_my_row() {
  const rt::Communicator world = rt::Communicator::duplicate(MPI_COMM_WORLD);
  rt::ProgressEngine engine;
  const comm::CartComm cart(world, engine, {.dims = {world.size()}, .periodic = {true}});
  if (!cart.neighbour(0, +1)) return 0;
  return cart.allreduce(1, comm::Operator::sum);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int size = 0, rank = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const bool right = ranks_in_my_row() == size;
  if (rank == 0) std::printf("comm_consumer: %s on %d ranks\n", right ? "right" : "WRONG", size);
  MPI_Finalize();
  return right ? 0 : 1;
}
