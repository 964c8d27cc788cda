// SPDX-License-Identifier: Apache-2.0
// Every reduce-scatter on every number of ranks, with even and uneven blocks.
#include "collective_check.hpp"
#include "traffic.hpp"

#include <cartwright/plan/algorithms/reduce_scatter.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <string>

namespace cartwright::plan {
namespace {

using test::Generator;
using test::Order;

struct Algorithm {
  const char* name;
  Generator make;
  Order order;
};

const Algorithm algorithms[] = {
    {"recursive_halving", reduce_scatter::recursive_halving, Order::commutative},
    {"ring", reduce_scatter::ring, Order::commutative},
    {"pairwise", reduce_scatter::pairwise, Order::any_operator},
    {"direct", reduce_scatter::direct, Order::any_operator},
};

TEST(ReduceScatter, OnEveryNumberOfRanks) {
  for (const auto& [name, make, order] : algorithms)
    for (int ranks = 1; ranks <= 64; ++ranks)
      for (const Place place : {Place::separate, Place::in_place})
        for (const auto& counts : test::block_counts(ranks))
          ASSERT_EQ(test::check_reduce_scatter({ranks, place, make}, counts, order), "")
              << name << ", " << ranks << " ranks";
}

TEST(ReduceScatter, OnManyRanks) {
  // As many elements as ranks: their cube is the number of combinations.
  for (const int ranks : test::random_ranks(64, 200))
    for (const auto& [name, make, order] : algorithms)
      ASSERT_EQ(
          test::check_reduce_scatter({ranks, Place::separate, make},
                                     std::vector<Count>(static_cast<std::size_t>(ranks), 1), order),
          "")
          << name << ", " << ranks << " ranks";
}

TEST(ReduceScatter, RoundsAndMessagesAreTheFormulas) {
  for (int ranks = 2; ranks <= 130; ++ranks)
    for (const auto& [name, make, order] : algorithms) {
      const auto [messages, blocks, rounds, most] = test::traffic(ranks, make);
      if (std::string(name) == "recursive_halving") {
        const int core = static_cast<int>(std::bit_floor(static_cast<unsigned>(ranks)));
        const int logarithm = std::bit_width(static_cast<unsigned>(ranks)) - 1;
        const int folded = ranks - core;
        EXPECT_EQ(rounds, logarithm + (folded > 0 ? 2 : 0)) << ranks;
        EXPECT_EQ(messages, core * logarithm + 2 * folded) << ranks;
        if (folded == 0) {
          EXPECT_EQ(blocks, ranks * (ranks - 1)) << ranks;
        }
      } else {
        EXPECT_EQ(rounds, std::string(name) == "direct" ? 1 : ranks - 1) << name << ", " << ranks;
        EXPECT_EQ(messages, ranks * (ranks - 1)) << name << ", " << ranks;
        EXPECT_EQ(blocks, ranks * (ranks - 1)) << name << ", " << ranks;
      }
    }
}

}  // namespace
}  // namespace cartwright::plan
