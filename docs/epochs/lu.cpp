// SPDX-License-Identifier: Apache-2.0
// Factorises a random matrix on all ranks, and says how far the factors are from it.
#include <mpi.h>

#include <cstdio>
#include <cstdlib>

#include "panel_lu.hpp"

namespace comm = cartwright::comm;
namespace rt = cartwright::rt;

/// The largest element of P A - L U, of one column: by all columns of the factors.
static double error_of(const comm::CartComm& cart, ColumnMatrix& factors,
                       const std::vector<int>& pivots, int place) {
  const auto n = static_cast<std::size_t>(factors.extent);
  std::vector<double> wanted(n), upper(n), product(n);
  for (std::size_t row = 0; row < n; ++row)
    wanted[row] = random_element(static_cast<int>(row), place);
  for (std::size_t row = 0; row < n; ++row)
    std::swap(wanted[row], wanted[static_cast<std::size_t>(pivots[row])]);
  for (int c = 0; c < factors.columns(); ++c)
    if (factors.place_of(c) == place) std::copy_n(factors.column(c), place + 1, upper.begin());
  cart.allreduce(upper, comm::Operator::sum);
  for (int c = 0; c < factors.columns(); ++c) {
    const auto k = static_cast<std::size_t>(factors.place_of(c));
    if (k > static_cast<std::size_t>(place)) continue;
    product[k] += upper[k];
    for (std::size_t row = k + 1; row < n; ++row) product[row] += factors.column(c)[row] * upper[k];
  }
  cart.allreduce(product, comm::Operator::sum);
  double worst = 0;
  for (std::size_t row = 0; row < n; ++row)
    worst = std::max(worst, std::abs(wanted[row] - product[row]));
  return worst;
}

static void run(int extent, int block) {
  const auto world = rt::Communicator::duplicate(MPI_COMM_WORLD);
  rt::ProgressEngine engine;
  const comm::CartComm cart(world, engine, {.dims = {world.size()}});
  ColumnMatrix a(extent, block, cart.size(), cart.rank().value);
  fill_randomly(a);
  PanelEpochs panels(cart, a, 4, false);
  const auto pivots = Factorisation(a, panels).run([](int, int) {});
  cart.start_barrier().wait();
  double worst = 0;
  for (const int place : {0, extent / 3, extent - 1})
    worst = std::max(worst, error_of(cart, a, pivots, place));
  if (cart.is_root())
    std::printf("%d x %d in panels of %d: factors are %s\n", extent, extent, block,
                worst < 1e-12 * extent ? "right" : "wrong");
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  run(argc > 1 ? std::atoi(argv[1]) : 203, argc > 2 ? std::atoi(argv[2]) : 12);
  MPI_Finalize();
}
