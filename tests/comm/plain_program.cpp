// SPDX-License-Identifier: Apache-2.0
// What a plain MPI code does with the communication half alone: no deck, no Kokkos, its own
// MPI_Init.
#include <mpi.h>

#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/mapping/search/process_grid.hpp>
#include <cstdio>

namespace comm = cartwright::comm;
namespace mapping = cartwright::mapping;
namespace rt = cartwright::rt;

namespace {

bool ranks_find_each_other() {
  const auto world = rt::Communicator::duplicate(MPI_COMM_WORLD);
  rt::ProgressEngine engine;
  const auto dims = mapping::choose_process_grid({.ranks = world.size(), .extents = {64, 64}});
  const comm::CartComm cart(world, engine, {.dims = dims, .periodic = {true, false}});
  if (cart.is_root()) {
    for (const auto& [key, value] : cart.description()) {
      std::printf("%-16s %s\n", key.c_str(), value.c_str());
    }
  }
  const int sum = cart.allreduce(cart.rank().value, comm::Operator::sum);
  return sum == cart.size() * (cart.size() - 1) / 2 && cart.neighbour(0, +1).has_value();
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const bool good = ranks_find_each_other();
  MPI_Finalize();
  return good ? 0 : 1;
}
