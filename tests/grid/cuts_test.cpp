// SPDX-License-Identifier: Apache-2.0
// Blocks that cost the same.
#include <gtest/gtest.h>

#include <algorithm>
#include <cartwright/cartwright.hpp>
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/grid/output/plane_weights.hpp>
#include <cmath>
#include <limits>
#include <random>

#include "sample_run.hpp"

namespace cartwright::grid {
namespace {

using test::SampleRun;

double dearest(const std::vector<double>& weights, const std::vector<long long>& cuts) {
  return imbalance(weights, cuts) / static_cast<double>(cuts.size() - 1);
}

/// The least share of the dearest part that any cuts leave: all are tried.
double least_possible(const std::vector<double>& weights, int parts, long long least,
                      long long begin = 0) {
  const auto planes = static_cast<long long>(weights.size());
  double all = 0.0;
  for (const double weight : weights) all += weight;
  double mine = 0.0, best = std::numeric_limits<double>::infinity();
  for (long long end = begin; end <= planes; ++end) {
    if (end > begin) mine += weights[static_cast<std::size_t>(end) - 1];
    if (end - begin < least || (parts == 1 && end < planes)) continue;
    const double rest = parts > 1 ? least_possible(weights, parts - 1, least, end) : 0.0;
    best = std::min(best, std::max(mine / all, rest));
  }
  return best;
}

TEST(WeightedCuts, AreTheBestThatThereAre) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> any(0.0, 1.0);
  for (int round = 0; round < 60; ++round) {
    std::vector<double> weights(8 + round % 5);
    for (double& weight : weights) {
      weight = any(random);
      if (weight < 0.3) weight = 0.0;
      if (weight > 0.8) weight *= 20;
    }
    for (const int parts : {1, 2, 3, 4})
      for (const long long least : {1LL, 2LL}) {
        const Cuts cuts = weighted_cuts({weights}, {parts}, least);
        ASSERT_EQ(cuts.front().size(), static_cast<std::size_t>(parts) + 1);
        for (int part = 0; part < parts; ++part)
          EXPECT_GE(
              cuts[0][static_cast<std::size_t>(part) + 1] - cuts[0][static_cast<std::size_t>(part)],
              least);
        EXPECT_NEAR(dearest(weights, cuts[0]), least_possible(weights, parts, least), 1e-9)
            << "round " << round << ", " << parts << " parts of " << least << " or more";
      }
  }
}

TEST(WeightedCuts, OfEqualWeightsAreEven) {
  for (const int planes : {7, 12, 64})
    for (const int parts : {1, 2, 3, 7}) {
      const std::vector<double> weights(static_cast<std::size_t>(planes), 0.1);
      const Cuts cuts = weighted_cuts({weights}, {parts}, 1);
      for (int part = 0; part < parts; ++part) {
        const long long cells =
            cuts[0][static_cast<std::size_t>(part) + 1] - cuts[0][static_cast<std::size_t>(part)];
        EXPECT_GE(cells, planes / parts) << planes << " planes, " << parts << " parts";
        EXPECT_LE(cells, (planes + parts - 1) / parts);
      }
    }
}

TEST(WeightedCuts, OfFewerPlanesThanWished) {
  const Cuts cuts = weighted_cuts({{1, 0, 0, 0, 1}}, {5}, 4);
  EXPECT_EQ(cuts[0], (std::vector<long long>{0, 1, 2, 3, 4, 5}));
}

TEST(WeightedCuts, RefuseWhatIsNoWeight) {
  EXPECT_THROW((void)weighted_cuts({{1, -1, 3}}, {2}, 1), rt::Error);
  EXPECT_THROW((void)weighted_cuts({{1, std::nan(""), 3}}, {2}, 1), rt::Error);
  EXPECT_THROW((void)weighted_cuts({{0, 0, 0}}, {2}, 1), rt::Error);
  EXPECT_THROW((void)weighted_cuts({{1, INFINITY, 0}}, {2}, 1), rt::Error);
}

/// A grid of a program's own, with the weights of its planes: measured times, say.
TEST(WeightedCuts, OfAGridOfOnesOwn) {
  SampleRun run("grid: {extent: [8, 8]}");
  GridSpec spec{.extent = {60, 40}, .periodic = {true, false}};
  spec.weights = {std::vector<double>(60, 1.0), std::vector<double>(40, 1.0)};
  for (int i = 0; i < 20; ++i) spec.weights[0][static_cast<std::size_t>(i)] = 9.0;
  Grid<2> grid(*run, spec);
  for (std::size_t axis = 0; axis < 2; ++axis)
    EXPECT_EQ(grid.cuts()[axis],
              weighted_cuts(spec.weights, {grid.comm().dims().begin(), grid.comm().dims().end()},
                            4)[axis]);
  // Ghosts come from where they belong.
  Field<double, 2> u(grid, "u", {.halo = 2});
  u.set_from(
      [](const auto& x, int) { return std::floor(x[0] * 60) + 100 * std::floor(x[1] * 60); });
  exchange(u).wait();
  const auto in = u.view();
  const auto at = u.coordinates();
  double worst = 0.0;
  reduce(
      u,
      KOKKOS_LAMBDA(const Index<2>& i, double& most) {
        for (const int distance : {-2, 2}) {
          const double there = in(i.shifted(0, distance));
          const double wanted = in(i) + distance;
          const auto x = at.global(i, 0) + distance;
          if (x >= 0 && x < 60) most = std::fmax(most, std::fabs(there - wanted));
        }
      },
      Max(worst));
  EXPECT_EQ(worst, 0.0);
  spec.weights[1].pop_back();
  EXPECT_THROW(Grid<2>(*run, spec), rt::Error);
}

TEST(PlaneWeights, AreSumsOverPlanes) {
  SampleRun run("grid: {extent: [6, 4], length: [6, 4], weights: {formula: \"x + 10*y\"}}");
  const GridDescription grid = description_of(run.options().grid);
  Grid<2> made(*run);
  const PlaneWeights weights = run->plane_weights(grid, made.comm().all());
  const PlaneWeights estimated =
      estimated_plane_weights(grid, run.options().grid.weights, run->formula_constants());
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_NEAR(weights[0][i], 4 * (static_cast<double>(i) + 0.5) + 10 * 8, 1e-9);
  for (std::size_t j = 0; j < 4; ++j)
    EXPECT_NEAR(weights[1][j], 18 + 60 * (static_cast<double>(j) + 0.5), 1e-9);
  for (std::size_t axis = 0; axis < 2; ++axis)
    for (std::size_t i = 0; i < weights[axis].size(); ++i)
      EXPECT_NEAR(estimated[axis][i], weights[axis][i], 1e-9);
}

}  // namespace
}  // namespace cartwright::grid
