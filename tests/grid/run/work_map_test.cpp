// SPDX-License-Identifier: Apache-2.0
// Where the work is, found out from how long blocks took.
#include <gtest/gtest.h>

#include <algorithm>
#include <cartwright/grid/space/work_map.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <vector>

namespace cartwright::grid {
namespace {

using Cost = std::function<double(long long, long long, long long)>;

Cuts even(const std::vector<long long>& extent, const std::vector<int>& ranks) {
  GridSpec spec;
  spec.extent = extent;
  return even_cuts(description_of(spec), ranks);
}

/// What the blocks take, x fastest.
std::vector<double> busy(const Cuts& cuts, const Cost& cost) {
  Cuts all = cuts;
  all.resize(3, {0, 1});
  std::vector<double> times;
  for (std::size_t k = 0; k + 1 < all[2].size(); ++k)
    for (std::size_t j = 0; j + 1 < all[1].size(); ++j)
      for (std::size_t i = 0; i + 1 < all[0].size(); ++i) {
        double& time = times.emplace_back(0.0);
        for (long long z = all[2][k]; z < all[2][k + 1]; ++z)
          for (long long y = all[1][j]; y < all[1][j + 1]; ++y)
            for (long long x = all[0][i]; x < all[0][i + 1]; ++x) time += cost(x, y, z);
      }
  return times;
}

double excess(const std::vector<double>& times) {
  const double mean =
      std::accumulate(times.begin(), times.end(), 0.0) / static_cast<double>(times.size());
  return *std::ranges::max_element(times) / mean;
}

/// After so many moves.
double balanced(const std::vector<long long>& extent, const std::vector<int>& ranks,
                const Cost& cost, int moves, long long least = 1) {
  WorkMap map(extent);
  Cuts cuts = even(extent, ranks);
  for (int move = 0; move < moves; ++move) {
    map.learn(cuts, busy(cuts, cost));
    cuts = map.balanced_cuts(ranks, least);
    for (std::size_t axis = 0; axis < cuts.size(); ++axis) {
      EXPECT_EQ(cuts[axis].size(), static_cast<std::size_t>(ranks[axis]) + 1);
      EXPECT_EQ(cuts[axis].front(), 0);
      EXPECT_EQ(cuts[axis].back(), extent[axis]);
      for (std::size_t part = 0; part + 1 < cuts[axis].size(); ++part)
        EXPECT_GE(cuts[axis][part + 1] - cuts[axis][part],
                  std::min(least, extent[axis] / ranks[axis]));
    }
  }
  return excess(busy(cuts, cost));
}

TEST(WorkMap, IsEvenUntilSomethingIsLearned) {
  const WorkMap map({30, 20});
  EXPECT_EQ(map.balanced_cuts({3, 2}, 1), (Cuts{{0, 10, 20, 30}, {0, 10, 20}}));
  EXPECT_TRUE(std::ranges::all_of(map.densities(), [](double cost) { return cost == 1.0; }));
}

TEST(WorkMap, FindsWhatOneSideCosts) {
  const Cost cost = [](long long x, long long, long long) { return x < 250 ? 10.0 : 1.0; };
  for (const int ranks : {2, 3, 4, 6, 8, 13}) {
    EXPECT_GT(balanced({1000}, {ranks}, cost, 0), 1.4) << ranks;
    EXPECT_LT(balanced({1000}, {ranks}, cost, 3), 1.1) << ranks << " ranks, 3 moves";
    EXPECT_LT(balanced({1000}, {ranks}, cost, 6), 1.05) << ranks << " ranks, 6 moves";
  }
}

TEST(WorkMap, FindsWhatACornerCosts) {
  const Cost cost = [](long long x, long long y, long long) {
    return x < 24 && y < 24 ? 8.0 : 1.0;
  };
  const double before = balanced({96, 96}, {2, 2}, cost, 0);
  EXPECT_GT(before, 1.5);
  double best = before;  // of all cuts along the axes
  for (long long x = 4; x < 96; x += 4)
    for (long long y = 4; y < 96; y += 4)
      best = std::min(best, excess(busy({{0, x, 96}, {0, y, 96}}, cost)));
  EXPECT_LT(balanced({96, 96}, {2, 2}, cost, 5), 1.05 * best);
  const Cost ball = [](long long x, long long y, long long z) {
    return (x - 10) * (x - 10) + (y - 12) * (y - 12) + (z - 14) * (z - 14) < 100 ? 20.0 : 1.0;
  };
  EXPECT_LT(balanced({48, 40, 36}, {2, 2, 2}, ball, 6),
            0.7 * balanced({48, 40, 36}, {2, 2, 2}, ball, 0));
}

TEST(WorkMap, BearsWhatClocksMaySay) {
  const double infinite = std::numeric_limits<double>::infinity();
  for (const std::vector<double>& times : {std::vector<double>{0, 0, 0, 0},
                                           {1, 0, 0, 0},
                                           {-1, 2, -3, 4},
                                           {1e300, 1e300, 1e-300, 1},
                                           {infinite, 1, 1, 1},
                                           {std::nan(""), 1, 1, 1},
                                           {1, 1, 1}}) {
    WorkMap map({16, 7});
    map.learn({{0, 8, 16}, {0, 3, 7}}, times);
    for (const double cost : map.densities()) EXPECT_TRUE(cost > 0.0 && std::isfinite(cost));
    const Cuts cuts = map.balanced_cuts({2, 2}, 2);
    for (const auto& of_axis : cuts) EXPECT_TRUE(std::ranges::is_sorted(of_axis));
  }
}

TEST(WorkMap, GoesOnWithWhatACheckpointHolds) {
  const Cost cost = [](long long x, long long, long long) { return x < 20 ? 5.0 : 1.0; };
  WorkMap map({64, 16});
  const Cuts cuts = even({64, 16}, {4, 1});
  map.learn(cuts, busy(cuts, cost));
  WorkMap other({64, 16});
  EXPECT_TRUE(other.restore(map.densities()));
  EXPECT_EQ(other.balanced_cuts({3, 1}, 1), map.balanced_cuts({3, 1}, 1));
  EXPECT_FALSE(other.restore({1.0, 2.0})) << "of another grid";
  std::vector<double> wrong = map.densities();
  wrong[5] = -1.0;
  EXPECT_FALSE(other.restore(wrong));
}

TEST(WorkMap, TakesWeightsForAFirstGuess) {
  PlaneWeights weights{std::vector<double>(40, 1.0), std::vector<double>(10, 1.0)};
  std::fill_n(weights[0].begin(), 10, 6.0);
  const WorkMap map({40, 10}, weights);
  EXPECT_EQ(map.balanced_cuts({2, 1}, 1)[0], (std::vector<long long>{0, 8, 40}));
}

TEST(WorkMap, SupposesWhatIsInTheBins) {
  WorkMap map({70, 30, 9});
  for (long long x = 0; x < 70; ++x) {  // bins follow each other, and hold all cells
    const std::size_t bin = map.bin_of({x, 0, 0});
    EXPECT_GE(bin, x == 0 ? 0 : map.bin_of({x - 1, 0, 0}));
    EXPECT_LT(bin, 16U);
  }
  EXPECT_EQ(map.bin_of({69, 29, 8}) + 1, map.densities().size());
  EXPECT_EQ(map.bin_of({700, 29, 8}), map.bin_of({69, 29, 8}));
  EXPECT_EQ(map.bin_of({-3, 29, 8}), map.bin_of({0, 29, 8}));
  // All in the first quarter of x: that is shared out, and the rest is for the last rank besides.
  std::vector<double> amounts(map.densities().size(), 0.0);
  for (long long x = 0; x < 17; ++x) amounts[map.bin_of({x, 15, 4})] += 100.0;
  map.suppose(amounts);
  const Cuts cuts = map.balanced_cuts({4, 1, 1}, 1);
  EXPECT_LE(cuts[0][3], 18);
  EXPECT_LT(map.imbalance(cuts), 1.3);
  const std::vector<double> before = map.densities();
  map.suppose(std::vector<double>(amounts.size(), 0.0));  // nothing is nowhere
  EXPECT_EQ(map.densities(), before);
}

TEST(StripCuts, LookAtTheDearestStrip) {
  // Two strips: what is dear in one is cheap in the other.
  const PlaneWeights strips{{9, 1, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 9}};
  const std::vector<long long> cuts = cuts_of_strips(strips, 2, 1);
  double dearest = 0.0;
  for (const auto& strip : strips)
    for (std::size_t part = 0; part < 2; ++part)
      dearest = std::max(dearest, std::accumulate(strip.begin() + cuts[part],
                                                  strip.begin() + cuts[part + 1], 0.0));
  EXPECT_LE(dearest, 11.0);
}

}  // namespace
}  // namespace cartwright::grid
