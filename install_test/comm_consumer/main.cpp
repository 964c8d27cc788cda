// SPDX-License-Identifier: Apache-2.0
// A plain MPI program that uses the communication half alone: MPI is started and stopped by this
// program, as an existing MPI code would, and its communicator stays what it is.
#include <mpi.h>

#include <cartwright/comm/axis_collectives.hpp>
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/comm/collectives.hpp>
#include <cartwright/rt/communicator.hpp>
#include <cartwright/rt/request.hpp>
#include <cstdio>
#include <span>
#include <vector>

namespace rt = cartwright::rt;
namespace comm = cartwright::comm;

/// Collectives of any communicator, by each backend.
static bool sums_are_right(comm::BackendId backend) {
  const rt::Communicator world = rt::Communicator::duplicate(MPI_COMM_WORLD);
  rt::ProgressEngine engine;
  const comm::Collectives collectives(world, engine, backend);
  const int ranks = world.size();

  std::vector<double> values(1000, 1.0);
  collectives.allreduce(values, comm::Operator::sum);

  // Nonblocking, with an operator of one's own.
  int longest = world.rank().value;
  auto pending = collectives.start_allreduce(
      std::span(&longest, 1), comm::commutative([](int a, int b) { return a > b ? a : b; }));
  pending.wait();

  // Blocks whose lengths only their owners know.
  const std::vector<int> mine(static_cast<std::size_t>(world.rank().value) + 1, ranks);
  const auto all = collectives.allgather_uneven(mine);

  return values.back() == ranks && longest == ranks - 1 &&
         static_cast<int>(all.elements.size()) == ranks * (ranks + 1) / 2;
}

/// A grid whose ranks are remapped, with collectives along both axes at the same time.
static bool grid_is_right() {
  const rt::Communicator world = rt::Communicator::duplicate(MPI_COMM_WORLD);
  rt::ProgressEngine engine;
  const comm::CartComm cart(world, engine, {.dims = {world.size(), 1}, .periodic = {true, false}});
  int row = cart.along(0).communicator().rank().value;
  int column = cart.along(1).communicator().rank().value;
  comm::AxisCollectives both(cart);
  both.add(cart.along(0).prepare_broadcast(std::span(&row, 1), rt::Rank{0}));
  both.add(cart.along(1).prepare_broadcast(std::span(&column, 1), rt::Rank{0}));
  both.run();
  return cart.neighbour(0, +1) && row == 0 && column == 0 &&
         cart.allreduce(1, comm::Operator::sum) == world.size();
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int size = 0, rank = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  bool right = grid_is_right();
  for (const comm::BackendId backend : {comm::BackendId::native, comm::BackendId::p2p,
                                        comm::BackendId::shared, comm::BackendId::automatic})
    right = sums_are_right(backend) && right;
  if (rank == 0) std::printf("comm_consumer: %s on %d ranks\n", right ? "right" : "WRONG", size);
  MPI_Finalize();
  return right ? 0 : 1;
}
