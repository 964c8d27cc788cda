// SPDX-License-Identifier: Apache-2.0
// Schedules with a fault are rejected, by the validator or by the interpreter's result.
#include "mutation.hpp"

#include <cartwright/plan/algorithms/allreduce.hpp>
#include <cartwright/plan/algorithms/reduce_scatter.hpp>
#include <cartwright/plan/algorithms/scan.hpp>

#include <gtest/gtest.h>

#include <string>

namespace cartwright::plan {
namespace {

using test::each;
using test::Generator;
using test::Order;
using test::Trial;

struct Mutated {
  const char* name;
  Generator make;
  Order order = Order::any_operator;
};

using Check = std::function<std::string(const Trial&)>;

template <class MakeCheck>
void expect_rejection(const Mutated& operation, std::initializer_list<int> all_ranks,
                      const MakeCheck& make_check) {
  for (const int ranks : all_ranks)
    for (const Place place : {Place::separate, Place::in_place}) {
      const Trial trial{ranks, place, operation.make};
      const Check check = make_check(operation.make({ranks, 0, place}));
      const auto report = test::mutate(trial, check, operation.order);
      EXPECT_EQ(report.missed, std::vector<std::string>{})
          << operation.name << (place == Place::in_place ? " in place" : "");
      EXPECT_GT(report.rejected, 10);
    }
}

TEST(Mutation, OfAllreduce) {
  const Mutated operations[] = {
      {"fan_in_fan_out", allreduce::fan_in_fan_out},
      {"star", allreduce::star},
      {"recursive_doubling", allreduce::recursive_doubling},
      {"rabenseifner", allreduce::rabenseifner},
      {"elimination", allreduce::elimination},
      {"ring", allreduce::ring, Order::commutative},
  };
  for (const auto& operation : operations)
    expect_rejection(operation, {2, 3, 4, 5, 7, 8}, [&](const Schedule& first) -> Check {
      return [elements = first.blocks() * each, order = operation.order](const Trial& trial) {
        return test::check_allreduce(trial, elements, order);
      };
    });
}

TEST(Mutation, OfStages) {
  for (const char* text : {"a4", "a3,a2", "a2,a3,a2", "c6m2,a2,a2,e6m2", "c6m3,a3,e6m3",
                           "m1g2a3,n1g3a2", "m3g2a2,n3g2a2", "m5g2a2,n5g2a2"}) {
    const Stages stages = parse_stages(text);
    expect_rejection({text, [&](Team team) { return allreduce::staged(team, stages); }},
                     {ranks_of(stages)}, [](const Schedule&) -> Check {
                       return [](const Trial& trial) {
                         return test::check_allreduce(trial, each, Order::any_operator);
                       };
                     });
  }
  const int factors[] = {3, 4};
  expect_rejection(
      {"split", [&](Team team) { return allreduce::split_multiplying(team, factors); }}, {12},
      [](const Schedule& first) -> Check {
        return [elements = first.blocks() * each](const Trial& trial) {
          return test::check_allreduce(trial, elements, Order::any_operator);
        };
      });
}

TEST(Mutation, OfReduceScatter) {
  const Mutated operations[] = {
      {"recursive_halving", reduce_scatter::recursive_halving, Order::commutative},
      {"ring", reduce_scatter::ring, Order::commutative},
      {"pairwise", reduce_scatter::pairwise},
  };
  for (const auto& operation : operations)
    expect_rejection(operation, {2, 3, 4, 5, 7, 8}, [&](const Schedule& first) -> Check {
      return [counts = std::vector<Count>(static_cast<std::size_t>(first.blocks()), each),
              order = operation.order](const Trial& trial) {
        return test::check_reduce_scatter(trial, counts, order);
      };
    });
}

TEST(Mutation, OfScan) {
  const Mutated operations[] = {
      {"scan::linear", scan::linear},
      {"scan::recursive_doubling", scan::recursive_doubling},
      {"exscan::linear", exscan::linear},
      {"exscan::recursive_doubling", exscan::recursive_doubling},
  };
  for (const auto& operation : operations) {
    const bool inclusive = std::string(operation.name).starts_with("scan");
    expect_rejection(operation, {2, 3, 4, 5, 7, 8}, [=](const Schedule&) -> Check {
      return [=](const Trial& trial) { return test::check_scan(trial, each, inclusive); };
    });
  }
}

}  // namespace
}  // namespace cartwright::plan
