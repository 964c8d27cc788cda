// SPDX-License-Identifier: Apache-2.0
// The factorisation of docs/epochs against ScaLAPACK's.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "panel_lu.hpp"

extern "C" {
int Csys2blacs_handle(MPI_Comm communicator);
void Cfree_blacs_system_handle(int handle);
void Cblacs_gridmap(int* context, int* ranks, int stride, int rows, int columns);
void Cblacs_gridexit(int context);
void pdgetrf_(const int* m, const int* n, double* a, const int* ia, const int* ja,
              const int* descriptor, int* pivots, int* info);
}

namespace cartwright::comm {
namespace {

/// Of ScaLAPACK, from 0 on.
std::vector<int> factorise_by_scalapack(const CartComm& cart, ColumnMatrix& a) {
  const int system = Csys2blacs_handle(cart.communicator().handle());
  int context = system, info = 0;
  std::vector<int> ranks(static_cast<std::size_t>(cart.size()));
  std::iota(ranks.begin(), ranks.end(), 0);
  Cblacs_gridmap(&context, ranks.data(), 1, 1, cart.size());
  const int one = 1;
  const int descriptor[9] = {1, context, a.extent, a.extent, a.block, a.block, 0, 0, a.extent};
  std::vector<int> pivots(static_cast<std::size_t>(a.extent + a.block));
  pdgetrf_(&a.extent, &a.extent, a.values.data(), &one, &one, descriptor, pivots.data(), &info);
  Cblacs_gridexit(context);
  Cfree_blacs_system_handle(system);
  EXPECT_EQ(info, 0);
  pivots.resize(static_cast<std::size_t>(a.extent));
  for (int& pivot : pivots) --pivot;
  return pivots;
}

struct Shape {
  int extent, block;
};

class PanelLu : public testing::TestWithParam<Shape> {};

TEST_P(PanelLu, EqualsScalapackToRounding) {
  const auto world = rt::Communicator::duplicate(MPI_COMM_WORLD);
  rt::ProgressEngine engine;
  const CartComm cart(world, engine, {.dims = {world.size()}});
  const auto [extent, block] = GetParam();
  ColumnMatrix given(extent, block, cart.size(), cart.rank().value);
  fill_randomly(given);
  ColumnMatrix theirs = given;
  const auto their_pivots = factorise_by_scalapack(cart, theirs);

  std::vector<double> first;
  for (const bool waits : {false, true})
    for (const int slots : {2, 5}) {
      if (waits && slots > 2) continue;  // one exposure is open at a time
      ColumnMatrix ours = given;
      PanelEpochs panels(cart, ours, slots, waits);
      const auto pivots = Factorisation(ours, panels).run([](int, int) {});
      EXPECT_EQ(pivots, their_pivots);
      double worst = 0;
      for (std::size_t i = 0; i < ours.values.size(); ++i)
        worst = std::max(worst, std::abs(ours.values[i] - theirs.values[i]));
      EXPECT_LT(worst, 1e-13 * extent);
      if (first.empty()) first = ours.values;
      EXPECT_EQ(first, ours.values);  // the same bits, whoever waits
    }
}

INSTANTIATE_TEST_SUITE_P(Of, PanelLu,
                         testing::Values(Shape{1, 1}, Shape{7, 3}, Shape{64, 8}, Shape{101, 13},
                                         Shape{240, 16}, Shape{5, 8}),
                         [](const auto& named) {
                           return "n" + std::to_string(named.param.extent) + "_block" +
                                  std::to_string(named.param.block);
                         });

}  // namespace
}  // namespace cartwright::comm
