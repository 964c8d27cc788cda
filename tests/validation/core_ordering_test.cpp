// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cartwright/mapping/probe/core_groups.hpp>
#include <cartwright/rt/error.hpp>
#include <cmath>
#include <limits>
#include <numeric>
#include <validation/core_ordering.hpp>

// Oracles: Karlsson 2012, Table 4.1 (RA, 16 kB, µs), its vectors and groups, and numbers computed
// for the repaired algorithms.
namespace cartwright::validation {
namespace {

using Order = std::vector<int>;

CostMatrix ra() {
  return CostMatrix({0.00,  32.74, 30.69, 30.62, 32.42, 30.63, 32.25, 32.79,  //
                     32.37, 0.00,  32.97, 32.90, 30.35, 32.56, 30.59, 30.41,  //
                     30.60, 33.50, 0.00,  30.67, 32.68, 30.58, 32.52, 32.81,  //
                     30.34, 33.37, 30.75, 0.00,  32.73, 30.46, 32.78, 33.01,  //
                     32.67, 30.56, 32.81, 32.62, 0.00,  32.91, 30.53, 30.50,  //
                     30.61, 33.24, 30.97, 30.67, 32.87, 0.00,  32.76, 32.83,  //
                     32.70, 30.51, 32.65, 32.86, 30.62, 32.85, 0.00,  30.49,  //
                     32.91, 30.63, 32.87, 32.72, 30.50, 32.97, 30.67, 0.00});
}

/// Costs 1 inside a group and 2 between groups, with a little noise.
CostMatrix grouped(const std::vector<int>& group_of, double noise = 0.0) {
  std::vector<double> costs;
  unsigned state = 1;
  for (const int a : group_of) {
    for (const int b : group_of) {
      state = state * 1103515245U + 12345U;
      costs.push_back((a == b ? 1.0 : 2.0) + noise * ((state >> 16U) % 1000U) / 1000.0);
    }
  }
  return CostMatrix(std::move(costs));
}

const std::vector<int> ra_groups{0, 1, 0, 0, 1, 0, 1, 1};

TEST(CoreGroups, FindsThoseOfRa) {
  const auto groups = find_groups(ra());
  EXPECT_EQ(groups.count, 2);
  EXPECT_EQ(groups.group_of, ra_groups);
  EXPECT_GT(groups.threshold, 30.775);
  EXPECT_LT(groups.threshold, 32.475);
  EXPECT_LT(groups.p_value, 1e-10);
  EXPECT_EQ(groups.members(), (std::vector<std::vector<int>>{{0, 2, 3, 5}, {1, 4, 6, 7}}));
}

TEST(CoreGroups, HaveTheMeansOfTheThesis) {
  const std::vector<int> first{0, 2, 3, 5};
  const std::vector<int> second{1, 4, 6, 7};
  const auto expect = [](const std::vector<double>& costs, int count, double mean, double sd) {
    const auto statistics = statistics_of(costs);
    EXPECT_EQ(statistics.count, count);
    EXPECT_NEAR(statistics.mean, mean, 0.006);
    EXPECT_NEAR(statistics.deviation, sd, 0.0015);
  };
  expect(costs_between(ra(), first, first), 12, 30.63, 0.152);
  expect(costs_between(ra(), second, second), 12, 30.53, 0.092);
  // The thesis prints these two the other way round.
  const auto one = statistics_of(costs_between(ra(), first, second));
  const auto two = statistics_of(costs_between(ra(), second, first));
  EXPECT_EQ(one.count, 16);
  EXPECT_NEAR(std::min(one.mean, two.mean), 32.77, 0.006);
  EXPECT_NEAR(std::max(one.mean, two.mean), 32.83, 0.006);
}

TEST(CoreGroups, FindsAnyNumberOfAnySize) {
  for (const auto& groups : std::vector<std::vector<int>>{{0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3},
                                                          {0, 0, 0, 0, 0, 1, 1},
                                                          {0, 0, 0, 0, 0, 0, 1},
                                                          {0, 1, 1, 2, 0, 2, 1, 2, 2}}) {
    const auto found = find_groups(grouped(groups, 0.2));
    EXPECT_EQ(found.group_of, groups) << found.reason;
    EXPECT_EQ(find_groups(grouped(groups)).group_of, groups);
  }
}

TEST(CoreGroups, AreOneWhereCostsDontDiffer) {
  for (const auto& costs :
       {grouped(std::vector<int>(8, 0)), grouped(std::vector<int>(8, 0), 0.3),
        grouped(std::vector<int>(16, 0), 1.0), grouped({0}), grouped({0, 1}), CostMatrix({})}) {
    const auto groups = find_groups(costs);
    EXPECT_EQ(groups.count, 1);
    EXPECT_FALSE(groups.reason.empty());
  }
}

TEST(Welch, AgreesWithTables) {
  // Equal variances and sizes: t = 2.228 with 10 degrees of freedom is the 97.5 % quantile.
  const double sd = std::sqrt(6.0 / 2.0) / 2.228;
  EXPECT_NEAR(welch_p_value({6, 0.0, sd}, {6, 1.0, sd}), 0.025, 1e-4);
  EXPECT_NEAR(welch_p_value({6, 1.0, sd}, {6, 0.0, sd}), 0.975, 1e-4);
  EXPECT_DOUBLE_EQ(welch_p_value({6, 1.0, sd}, {6, 1.0, sd}), 0.5);
  EXPECT_EQ(welch_p_value({3, 1.0, 0.0}, {3, 2.0, 0.0}), 0.0);
  EXPECT_EQ(welch_p_value({3, 1.0, 0.0}, {3, 1.0, 0.0}), 1.0);
}

TEST(CoreOrdering, ReproducesTheVectorsOfTheThesis) {
  const CostMatrix two_levels = grouped(ra_groups);
  const auto groups = find_groups(two_levels);
  EXPECT_EQ(fastest_edge_first(two_levels), (Order{0, 1, 3, 4, 2, 6, 5, 7}));
  EXPECT_EQ(channel_aware_order(two_levels, groups, 2), (Order{0, 3, 1, 6, 2, 5, 4, 7}));
  EXPECT_EQ(channel_aware_order(two_levels, groups, 1), (Order{0, 3, 2, 5, 1, 6, 4, 7}));
  EXPECT_EQ(channel_aware_order(two_levels, groups, 3.9),
            channel_aware_order(two_levels, groups, 2));
  for (const double channels : {4.0, 8.0, 1e9}) {
    EXPECT_EQ(channel_aware_order(two_levels, groups, channels), fastest_edge_first(two_levels));
  }
}

TEST(CoreOrdering, ReproducesVectorsOnRawCosts) {
  EXPECT_EQ(fastest_edge_first(ra()), (Order{0, 6, 5, 7, 3, 4, 2, 1}));
  EXPECT_EQ(channel_aware_order(ra(), find_groups(ra()), 2), (Order{0, 5, 6, 7, 3, 2, 4, 1}));
}

TEST(CoreOrdering, CrossesInTheRightStep) {
  const CostMatrix costs = grouped(ra_groups);
  const auto groups = find_groups(costs);
  EXPECT_EQ(crossings_by_step(fastest_edge_first(costs), groups), (Order{0, 0, 4}));
  EXPECT_EQ(crossings_by_step(channel_aware_order(costs, groups, 2), groups), (Order{0, 2, 0}));
  EXPECT_EQ(crossings_by_step(channel_aware_order(costs, groups, 1), groups), (Order{1, 0, 0}));
  // New ranks by group.
  const auto order = channel_aware_order(costs, groups, 2);
  for (const std::size_t rank : {0U, 1U, 4U, 5U}) {
    EXPECT_EQ(ra_groups[static_cast<std::size_t>(order[rank])], 0);
  }
}

bool is_permutation(Order order) {
  std::sort(order.begin(), order.end());
  Order numbers(order.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  return order == numbers;
}

TEST(CoreOrdering, PermutesAnyNumberOfCoresFromAnyRoot) {
  for (int cores = 1; cores <= 20; ++cores) {
    std::vector<int> group_of;
    for (int core = 0; core < cores; ++core) group_of.push_back(core * 3 % 7 % 3);
    const CostMatrix costs = grouped(group_of, 0.1);
    const auto groups = find_groups(costs);
    for (const int root : {0, cores / 2, cores - 1}) {
      for (const auto& order :
           {fastest_edge_first(costs, root), channel_aware_order(costs, groups, 2.0, root),
            random_order(cores, 7, root)}) {
        EXPECT_TRUE(is_permutation(order));
        EXPECT_EQ(order.front(), root);
      }
    }
  }
}

TEST(CoreOrdering, KeepsOneGroupInOrder) {
  const CostMatrix costs = grouped(std::vector<int>(5, 0));
  EXPECT_EQ(channel_aware_order(costs, find_groups(costs), 2), (Order{0, 1, 2, 3, 4}));
  EXPECT_EQ(channel_aware_order(costs, find_groups(costs), 2, 2), (Order{2, 0, 1, 3, 4}));
}

TEST(CoreOrdering, ShufflesEvenly) {
  EXPECT_EQ(random_order(12, 5), random_order(12, 5));
  EXPECT_NE(random_order(12, 5), random_order(12, 6));
  std::vector<int> seen(4, 0);
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    ++seen[static_cast<std::size_t>(random_order(4, seed)[1])];
  }
  EXPECT_EQ(seen[0], 0);
  for (std::size_t core = 1; core < 4; ++core) EXPECT_NEAR(seen[core], 1000, 120);
}

TEST(CostMatrix, RefusesWhatIsNoMatrix) {
  EXPECT_THROW(CostMatrix({1.0, 2.0}), rt::Error);
  EXPECT_THROW(CostMatrix({std::numeric_limits<double>::quiet_NaN()}), rt::Error);
}

}  // namespace
}  // namespace cartwright::validation
