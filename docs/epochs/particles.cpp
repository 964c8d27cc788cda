// SPDX-License-Identifier: Apache-2.0
// Particles that move between ranks, simulated on all ranks and on each alone.
#include <mpi.h>

#include <cstdio>

#include "particle_strip.hpp"

namespace comm = cartwright::comm;
namespace rt = cartwright::rt;

static constexpr Row all_cells;
static constexpr int steps = 60;

struct Outcome {
  std::array<std::uint64_t, 2> sum{};
  long long migrated = 0;
};

static Outcome simulate(MPI_Comm ranks) {
  const auto world = rt::Communicator::duplicate(ranks);
  rt::ProgressEngine engine;
  const comm::CartComm cart(world, engine, {.dims = {world.size()}, .periodic = {true}});
  Strip strip(cart, all_cells, Inboxes(cart, all_cells.particles));
  for (int step = 0; step < steps; ++step) strip.step();
  return {strip.sum(), strip.migrated()};
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const Outcome all = simulate(MPI_COMM_WORLD), alone = simulate(MPI_COMM_SELF);
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0)
    std::printf("%d particles: %lld are there; the bits are those of one rank: %s; %s\n",
                all_cells.particles, static_cast<long long>(all.sum[0]),
                all.sum == alone.sum ? "yes" : "no",
                (size == 1) == (all.migrated == 0) ? "they move between ranks" : "nobody moves");
  MPI_Finalize();
}
