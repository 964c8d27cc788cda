// SPDX-License-Identifier: Apache-2.0
// Every algorithm of the catalogue, with a fault, is rejected.
#include "mutation.hpp"

#include <cartwright/plan/models/machine.hpp>
#include <cartwright/plan/selection/catalogue.hpp>

#include <gtest/gtest.h>

#include <string>

namespace cartwright::plan {
namespace {

using test::each;
using test::Order;
using test::Trial;
using Check = std::function<std::string(const Trial&)>;

// From which tunings are taken, also those of groups: nodes of two sockets of two ranks.
Machine machine() {
  Machine nodes;
  nodes.name = "nodes";
  for (const char* name : {"node", "socket", "rank"}) {
    Level& level = nodes.levels.emplace_back();
    level.name = name;
    level.units = nodes.levels.size() == 1 ? 0 : 2;
    level.network = log_gp(1e-6, 3e-7, 3e-7, 4e-7, 1e-10);
  }
  return nodes;
}

std::vector<Count> even_counts(int ranks) {
  return std::vector<Count>(static_cast<std::size_t>(ranks), each);
}

Check check_of(const Problem& problem, Count elements, Order order) {
  const int root = problem.root.rank;
  const auto counts = even_counts(problem.ranks);
  switch (problem.operation) {
    case Operation::allreduce:
      return [=](const Trial& t) { return test::check_allreduce(t, elements, order); };
    case Operation::reduce:
      return [=](const Trial& t) { return test::check_reduce(t, root, elements, order); };
    case Operation::reduce_scatter:
      return [=](const Trial& t) { return test::check_reduce_scatter(t, counts, order); };
    case Operation::scan:
      return [=](const Trial& t) { return test::check_scan(t, elements, true); };
    case Operation::exscan:
      return [=](const Trial& t) { return test::check_scan(t, elements, false); };
    case Operation::broadcast:
      return [=](const Trial& t) { return test::check_broadcast(t, root, elements); };
    case Operation::scatter:
      return [=](const Trial& t) { return test::check_scatter(t, root, counts); };
    case Operation::gather:
      return [=](const Trial& t) { return test::check_gather(t, root, counts); };
    case Operation::allgather:
      return [=](const Trial& t) { return test::check_allgather(t, counts); };
    case Operation::alltoall:
      return [](const Trial& t) { return test::check_alltoall(t, each); };
    case Operation::barrier:
      return test::check_barrier;
  }
  return {};
}

class CatalogueMutation : public testing::TestWithParam<Operation> {};

TEST_P(CatalogueMutation, IsRejected) {
  for (const int ranks : {2, 3, 4, 5, 6, 8}) {
    const Problem problem{
        .operation = GetParam(), .ranks = ranks, .root = {is_rooted(GetParam()) ? ranks / 2 : 0}};
    for (const Choice& choice : choices(problem, machine()))
      for (const Place place : {Place::separate, Place::in_place}) {
        const Order order =
            choice.algorithm->any_operator ? Order::any_operator : Order::commutative;
        const Maker make = choice.maker(problem);
        const Check check = check_of(problem, make({ranks, 0, place}).blocks() * each, order);
        // In place the output has room for all blocks, of which one is the rank's.
        std::function<Extent(int)> result;
        if (GetParam() == Operation::reduce_scatter && place == Place::in_place)
          result = [](int rank) { return Extent{rank, 1}; };
        const auto report = test::mutate({ranks, place, make}, check, order, result);
        EXPECT_EQ(report.missed, std::vector<std::string>{})
            << choice.name() << (place == Place::in_place ? " in place" : "");
        EXPECT_GT(report.rejected, 0) << choice.name();
      }
  }
}

INSTANTIATE_TEST_SUITE_P(Of, CatalogueMutation, testing::ValuesIn(operations()),
                         [](const auto& chosen) { return std::string(name_of(chosen.param)); });

}  // namespace
}  // namespace cartwright::plan
