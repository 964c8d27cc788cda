// SPDX-License-Identifier: Apache-2.0
#include "rooted_sweep.hpp"

#include <cartwright/plan/algorithms/broadcast.hpp>

#include <gtest/gtest.h>

namespace cartwright::plan {
namespace {

using broadcast::Spread;
using test::RootedGenerator;

struct Algorithm {
  const char* name;
  RootedGenerator make;
  int most = 5000;  // ranks; fewer for those with P rounds
};

void PrintTo(const Algorithm& algorithm, std::ostream* out) {
  *out << algorithm.name;
}

std::vector<Algorithm> algorithms() {
  constexpr auto rotate = RootPlacement::rotate;
  constexpr auto exclusive_or = RootPlacement::exclusive_or;
  const auto low = [](RootPlacement placement, int segments) {
    return [=](Team team, Root root) {
      return broadcast::binomial_low_bit_first(team, root, placement, segments);
    };
  };
  const auto high = [](RootPlacement placement, int segments) {
    return [=](Team team, Root root) {
      return broadcast::binomial_high_bit_first(team, root, placement, segments);
    };
  };
  const auto k_ary = [](int k, int segments) {
    return [=](Team team, Root root) { return broadcast::k_ary(team, root, k, segments); };
  };
  const auto k_nomial = [](int radix, int segments) {
    return [=](Team team, Root root) { return broadcast::k_nomial(team, root, radix, segments); };
  };
  const auto chain = [](int segments) {
    return [=](Team team, Root root) { return broadcast::chain(team, root, segments); };
  };
  const auto scatter_allgather = [](Spread spread) {
    return [=](Team team, Root root) { return broadcast::scatter_allgather(team, root, spread); };
  };
  return {{"linear", broadcast::linear},
          {"low_rotate", low(rotate, 1)},
          {"low_exclusive_or", low(exclusive_or, 1)},
          {"low_rotate_in_3", low(rotate, 3)},
          {"low_exclusive_or_in_3", low(exclusive_or, 3)},
          {"high_rotate", high(rotate, 1)},
          {"high_exclusive_or", high(exclusive_or, 1)},
          {"high_exclusive_or_in_4", high(exclusive_or, 4), 2000},
          {"k_ary_2", k_ary(2, 1)},
          {"k_ary_3_in_5", k_ary(3, 5), 1500},
          {"k_nomial_3", k_nomial(3, 1)},
          {"k_nomial_5_in_2", k_nomial(5, 2)},
          {"chain", chain(1)},
          {"chain_in_6", chain(6), 1500},
          {"scatter_ring", scatter_allgather(Spread::ring), 150},
          {"scatter_doubling", scatter_allgather(Spread::recursive_doubling), 150}};
}

class Broadcast : public testing::TestWithParam<Algorithm> {};

TEST_P(Broadcast, FromEveryRoot) {
  test::expect_every_root(GetParam().make,
                          [](const test::Trial& trial, int root) {
                            return test::check_broadcast(trial, root, trial.ranks - root % 2);
                          },
                          {Place::separate});
}

TEST_P(Broadcast, OfManyLengths) {
  test::expect_some_roots(GetParam().make,
                          [](const test::Trial& trial, int root) {
                            for (const Count elements : test::lengths(trial.ranks))
                              if (auto wrong = test::check_broadcast(trial, root, elements);
                                  !wrong.empty())
                                return wrong;
                            return std::string();
                          },
                          {Place::separate});
}

TEST_P(Broadcast, OnManyRanks) {
  test::expect_random_ranks(
      GetParam().most, GetParam().make, [](const test::Trial& trial, int root) {
        return test::check_broadcast(trial, root, test::short_enough(trial.ranks));
      });
}

INSTANTIATE_TEST_SUITE_P(, Broadcast, testing::ValuesIn(algorithms()),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(BroadcastCounts, Messages) {
  for (const int ranks : {1, 2, 7, 8, 12, 27, 64})
    for (const Algorithm& algorithm : algorithms())
      if (std::string_view(algorithm.name).find("scatter") == std::string_view::npos) {
        const int segments = algorithm.make({ranks, 0}, {0}).blocks();
        EXPECT_EQ(test::traffic(ranks, ranks / 2, algorithm.make).messages, segments * (ranks - 1))
            << algorithm.name << " " << ranks;
      }
}

TEST(BroadcastCounts, Rounds) {
  using namespace broadcast;
  constexpr auto rotate = RootPlacement::rotate;
  EXPECT_EQ(binomial_low_bit_first({33, 5}, {7}, rotate).rounds(), 6);
  EXPECT_EQ(binomial_high_bit_first({32, 5}, {7}, rotate).rounds(), 5);
  EXPECT_EQ(binomial_low_bit_first({32, 5}, {7}, rotate, 4).rounds(), 20);
  EXPECT_EQ(k_ary({13, 0}, {0}, 3).rounds(), 2);
  EXPECT_EQ(k_ary({14, 0}, {0}, 3, 5).rounds(), 7);
  EXPECT_EQ(k_nomial({125, 0}, {0}, 5).rounds(), 3);
  EXPECT_EQ(k_nomial({126, 0}, {0}, 5).rounds(), 4);
  EXPECT_EQ(chain({10, 0}, {3}, 7).rounds(), 8 + 7);
  EXPECT_EQ(scatter_allgather({16, 0}, {0}).rounds(), 4 + 15);
  EXPECT_EQ(scatter_allgather({16, 0}, {0}, Spread::recursive_doubling).rounds(), 4 + 4);
}

TEST(BroadcastCounts, ScatterAllgatherSparesWhatIsThere) {
  for (const int ranks : {2, 3, 8, 13, 64})
    for (const Spread spread : {Spread::ring, Spread::recursive_doubling}) {
      Count held = 0;  // blocks that arrive by the scatter
      for (int me = 0; me < ranks; ++me) held += n_way_tree({ranks, me}, {1}, 1).ranks.count;
      const auto make = [&](Team team, Root root) {
        return broadcast::scatter_allgather(team, root, spread);
      };
      const Count all = static_cast<Count>(ranks) * ranks;
      EXPECT_EQ(test::traffic(ranks, 1, make).block_hops, (held - ranks) + (all - held)) << ranks;
    }
}

}  // namespace
}  // namespace cartwright::plan
