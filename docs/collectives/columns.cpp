// SPDX-License-Identifier: Apache-2.0
// A plain MPI program that talks through Cartwright's collectives.
#include <mpi.h>

#include <cartwright/comm/collectives.hpp>
#include <cstdio>
#include <string>
#include <vector>

namespace comm = cartwright::comm;
namespace rt = cartwright::rt;

struct Peak {
  double value;
  int rank;
};

static void talk() {
  const auto world = rt::Communicator::duplicate(MPI_COMM_WORLD);
  rt::ProgressEngine engine;
  const comm::Collectives all(world, engine);  // backend "auto": the quickest for each call
  const int me = world.rank().value;
  const int ranks = world.size();
  const rt::Rank first{0};

  // Single values come back; vectors, arrays and spans are written.
  const int sum = all.allreduce(me, comm::Operator::sum);
  std::vector<double> field(1000, 0.5 * me);
  all.allreduce(field, comm::Operator::maximum);

  // Your own operator, on your own type; the order of ranks is kept.
  const Peak highest = all.allreduce(
      Peak{me % 2 == 1 ? 1.0 : 0.0, me},
      comm::associative([](const Peak& l, const Peak& r) { return r.value > l.value ? r : l; }));

  // Rank r has r + 1 elements. Who knows how long all blocks are says so; else they are exchanged.
  const std::vector<int> mine(static_cast<std::size_t>(me + 1), me);
  const auto everyones = all.allgather_uneven(mine);

  // A column of a matrix stored by rows, to the first rank, while this one goes on.
  constexpr int rows = 3, columns = 4;
  std::vector<double> matrix(rows * columns, me);
  std::vector<double> gathered(static_cast<std::size_t>(rows * ranks));
  auto pending = all.start_gather(
      comm::strided(matrix.data() + 2, {.block = 1, .stride = columns, .count = rows}), gathered,
      first);
  pending.wait();

  // The same collective again and again: made ready once.
  std::vector<double> residual(1);
  auto reduction = all.prepare_allreduce(residual, comm::Operator::sum);
  for (int step = 1; step <= 3; ++step) {
    residual[0] = 1.0 / step;
    reduction.start();
    reduction.wait();
  }

  if (me == 0) {
    std::printf(
        "%d ranks: sum %d, field %.1f, highest on rank %d, %zu elements, last column of %.0f, "
        "residual %.3f\n",
        ranks, sum, field[0], highest.rank, everyones.elements.size(), gathered.back(),
        residual[0]);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  talk();
  MPI_Finalize();
}
