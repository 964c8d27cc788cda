// SPDX-License-Identifier: Apache-2.0
// Groups of ranks, and collective operations level by level.
#include "collective_check.hpp"
#include "structure.hpp"

#include <cartwright/plan/algorithms/allgather.hpp>
#include <cartwright/plan/algorithms/allreduce.hpp>
#include <cartwright/plan/algorithms/barrier.hpp>
#include <cartwright/plan/algorithms/broadcast.hpp>
#include <cartwright/plan/algorithms/gather.hpp>
#include <cartwright/plan/algorithms/hierarchical.hpp>
#include <cartwright/plan/algorithms/reduce.hpp>
#include <cartwright/plan/algorithms/scatter.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <random>
#include <set>

namespace cartwright::plan {
namespace {

using test::Order;
constexpr std::array places{Place::separate, Place::in_place};

TEST(Hierarchy, HasEvenGroups) {
  const std::array sizes{10, 4};
  const Hierarchy nodes = Hierarchy::even(25, sizes);
  EXPECT_EQ(nodes.levels(), 3);
  EXPECT_TRUE(nodes.consecutive());
  EXPECT_EQ(nodes.team_at(0, 17), (Extent{0, 3}));  // three nodes
  EXPECT_EQ(nodes.team_at(1, 17), (Extent{3, 3}));  // sockets of node 1: 10-13, 14-17, 18-19
  EXPECT_EQ(nodes.first_place(1, 3), 10);
  EXPECT_EQ(nodes.first_place(1, 4), 14);
  EXPECT_EQ(nodes.team_at(2, 17), (Extent{14, 4}));  // ranks of a socket
  EXPECT_EQ(nodes.team_at(2, 19), (Extent{18, 2}));
  EXPECT_EQ(nodes.member_at(0, 24), 2);
  EXPECT_EQ(nodes.first_place(0, 3), 25);
  const auto kinds = nodes.team_sizes(2);
  EXPECT_EQ(std::vector<int>(kinds.begin(), kinds.end()), (std::vector<int>{1, 2, 4}));
}

TEST(Hierarchy, PutsAnyGroupsInPlaces) {
  // Ranks are dealt out to two nodes in turn; sockets are numbered anew in each.
  const Hierarchy dealt = Hierarchy::named({{7, 3, 7, 3, 7, 3}, {0, 0, 0, 1, 1, 1}});
  EXPECT_FALSE(dealt.consecutive());
  std::vector<int> ranks;
  for (int place = 0; place < 6; ++place) {
    ranks.push_back(dealt.rank_at(place));
    EXPECT_EQ(dealt.place_of(ranks.back()), place);
  }
  EXPECT_EQ(ranks, (std::vector<int>{0, 2, 4, 1, 3, 5}));
  EXPECT_EQ(dealt.team_at(0, 0), (Extent{0, 2}));
  EXPECT_EQ(dealt.team_at(1, 5), (Extent{2, 2}));
  EXPECT_EQ(dealt.team_at(2, 5), (Extent{4, 2}));
  EXPECT_TRUE(Hierarchy::named({{4, 4, 1, 1, 1}}).consecutive());
}

TEST(Hierarchy, RefusesGroupsThatArent) {
  EXPECT_THROW(Hierarchy::even(8, std::array{2, 4}), std::invalid_argument);
  EXPECT_THROW(Hierarchy::even(8, std::array{0}), std::invalid_argument);
  EXPECT_THROW(Hierarchy::starting_at(8, {{1, 3}}), std::invalid_argument);
  EXPECT_THROW(Hierarchy::starting_at(8, {{0, 8}}), std::invalid_argument);
  EXPECT_THROW(Hierarchy::starting_at(8, {{0, 4}, {0, 3}}), std::invalid_argument);
  EXPECT_THROW(Hierarchy::named({{0, 1}, {0}}), std::invalid_argument);
  EXPECT_THROW(Hierarchy(0), std::invalid_argument);
}

// Groups of random sizes.
class Groupings {
 public:
  Hierarchy consecutive(int ranks, int levels) {
    std::vector<std::vector<int>> firsts;
    std::vector<int> outer{0};
    for (int level = 0; level < levels - 1; ++level) {
      std::set<int> starts(outer.begin(), outer.end());
      for (int more = below(level == 0 ? 6 : 12); more > 0; --more) starts.insert(below(ranks));
      outer.assign(starts.begin(), starts.end());
      firsts.push_back(outer);
    }
    return Hierarchy::starting_at(ranks, firsts);
  }

  Hierarchy any(int ranks, int levels) {
    std::vector<std::vector<int>> names(static_cast<std::size_t>(levels - 1));
    for (auto& level : names)
      for (int r = 0; r < ranks; ++r) level.push_back(below(4));
    return Hierarchy::named(names);
  }

  int below(int end) { return static_cast<int>(random_() % static_cast<unsigned>(end)); }

 private:
  std::minstd_rand random_{7};
};

std::vector<int> some_roots(int ranks) {
  std::vector<int> roots(static_cast<std::size_t>(ranks));
  std::iota(roots.begin(), roots.end(), 0);
  if (ranks > 12) roots = {0, ranks / 2, ranks - 1};
  return roots;
}

// Any where groups are consecutive ranks, else of one length.
std::vector<std::vector<Count>> block_counts(const Hierarchy& groups) {
  if (groups.consecutive()) return test::block_counts(groups.ranks());
  const auto ranks = static_cast<std::size_t>(groups.ranks());
  return {std::vector<Count>(ranks, 1), std::vector<Count>(ranks, 3)};
}

void check_rooted(const Hierarchy& groups, int root) {
  const int ranks = groups.ranks();
  const auto bind = [&](auto operation) -> test::Generator {
    return [=, &groups](Team team) { return operation(team, Root{root}, groups, {}); };
  };
  const Order order = groups.consecutive() ? Order::any_operator : Order::commutative;
  for (const Place place : places) {
    EXPECT_EQ(test::check_broadcast({ranks, place, bind(hierarchical::broadcast)}, root, 5), "");
    EXPECT_EQ(test::check_reduce({ranks, place, bind(hierarchical::reduce)}, root, 5, order), "");
    for (const auto& counts : block_counts(groups)) {
      EXPECT_EQ(test::check_gather({ranks, place, bind(hierarchical::gather)}, root, counts), "");
      EXPECT_EQ(test::check_scatter({ranks, place, bind(hierarchical::scatter)}, root, counts), "");
    }
  }
}

void check_symmetric(const Hierarchy& groups) {
  const int ranks = groups.ranks();
  const auto bind = [&](auto operation) -> test::Generator {
    return [=, &groups](Team team) { return operation(team, groups, {}); };
  };
  const Order order = groups.consecutive() ? Order::any_operator : Order::commutative;
  const test::Generator all_to_all = [&](Team team) {
    return hierarchical::alltoall(team, groups);
  };
  EXPECT_EQ(test::check_barrier({ranks, Place::separate, bind(hierarchical::barrier)}), "");
  for (const Place place : places) {
    for (const Count elements : test::lengths(ranks))
      EXPECT_EQ(
          test::check_allreduce({ranks, place, bind(hierarchical::allreduce)}, elements, order),
          "");
    for (const auto& counts : block_counts(groups)) {
      EXPECT_EQ(test::check_alltoall({ranks, place, all_to_all}, counts.front()), "");
      EXPECT_EQ(test::check_allgather({ranks, place, bind(hierarchical::allgather)}, counts), "");
      EXPECT_EQ(test::check_reduce_scatter({ranks, place, bind(hierarchical::reduce_scatter)},
                                           counts, order),
                "");
    }
  }
}

TEST(Hierarchical, IsRightForRandomGroupsAndAllRoots) {
  Groupings groupings;
  for (int ranks = 1; ranks <= 64; ++ranks)
    for (int levels = 1; levels <= 4; ++levels)
      for (const Hierarchy& groups :
           {groupings.consecutive(ranks, levels),
            levels == 1 ? Hierarchy(ranks) : groupings.any(ranks, levels)}) {
        SCOPED_TRACE(std::to_string(ranks) + " ranks, " + std::to_string(levels) + " levels");
        check_symmetric(groups);
        for (const int root : some_roots(ranks)) check_rooted(groups, root);
        if (testing::Test::HasFailure()) return;
      }
}

TEST(Hierarchical, IsRightForManyRanks) {
  Groupings groupings;
  int turn = 0;
  for (const int ranks : test::random_ranks(64, 5000)) {
    const Hierarchy groups = groupings.consecutive(ranks, 2 + turn % 2);
    const int root = groupings.below(ranks);
    const std::vector<Count> counts(static_cast<std::size_t>(ranks), 1);
    const auto bind = [&](auto operation) -> test::Trial {
      return {ranks, Place::separate,
              [&, operation](Team team) { return operation(team, Root{root}, groups, {}); }};
    };
    SCOPED_TRACE(std::to_string(ranks) + " ranks");
    switch (turn++ % 5) {
      case 0:
        EXPECT_EQ(test::check_broadcast(bind(hierarchical::broadcast), root, 3), "");
        break;
      case 1:
        EXPECT_EQ(test::check_reduce(bind(hierarchical::reduce), root, 1, Order::any_operator), "");
        break;
      case 2:
        EXPECT_EQ(test::check_gather(bind(hierarchical::gather), root, counts), "");
        break;
      case 3:
        EXPECT_EQ(test::check_scatter(bind(hierarchical::scatter), root, counts), "");
        break;
      default:
        EXPECT_EQ(test::check_allreduce(
                      {ranks, Place::in_place,
                       [&](Team team) { return hierarchical::allreduce(team, groups); }},
                      1, Order::any_operator),
                  "");
    }
  }
}

// Messages between members of each level.
std::vector<int> crossings(const Hierarchy& groups, const test::Generator& make) {
  std::vector<int> messages(static_cast<std::size_t>(groups.levels()), 0);
  for (int r = 0; r < groups.ranks(); ++r)
    for (const Schedule schedule = make({groups.ranks(), r}); const Step& step : schedule.steps()) {
      if (!step.sends()) continue;
      int level = 0;
      while (groups.member_at(level, groups.place_of(r)) ==
             groups.member_at(level, groups.place_of(step.peer)))
        ++level;
      ++messages[static_cast<std::size_t>(level)];
    }
  return messages;
}

// However ranks were dealt to nodes: what the algorithm between nodes needs for as many ranks.
TEST(Hierarchical, CrossesBetweenNodesOnceWhereverTheRanksAre) {
  for (const std::vector<int>& names : std::vector<std::vector<int>>{{0, 0, 1, 1},
                                                                     {0, 1, 0, 1},
                                                                     {0, 1, 2, 0, 1, 2},
                                                                     {2, 0, 1, 1, 0, 2, 2, 1},
                                                                     {0, 1, 1, 1, 1, 0, 3}}) {
    const Hierarchy nodes = Hierarchy::named({names});
    const int others = nodes.members(0) - 1;
    const int pairs = nodes.members(0) * others;
    const Root last{nodes.ranks() - 1};
    const auto count = [&](const auto& operation, auto... arguments) {
      return crossings(nodes, [&](Team team) { return operation(team, arguments..., nodes); })
          .front();
    };
    const auto gather = [&](Team team, Root root, const Hierarchy& groups) {
      return hierarchical::gather(team, root, groups);
    };
    const auto scatter = [&](Team team, Root root, const Hierarchy& groups) {
      return hierarchical::scatter(team, root, groups);
    };
    EXPECT_EQ(count(gather, last), others);
    EXPECT_EQ(count(scatter, last), others);
    EXPECT_EQ(count([](Team team, const Hierarchy& h) { return hierarchical::allgather(team, h); }),
              pairs);
    EXPECT_EQ(
        count([](Team team, const Hierarchy& h) { return hierarchical::reduce_scatter(team, h); }),
        pairs);
    EXPECT_EQ(count([](Team team, const Hierarchy& h) { return hierarchical::alltoall(team, h); }),
              pairs);
  }
}

// A tree needs one message less than there are members, in each team of a level.
std::vector<int> of_trees(const Hierarchy& groups) {
  std::vector<int> messages;
  for (int level = 0, teams = 1; level < groups.levels(); ++level) {
    const int members = groups.member_at(level, groups.ranks() - 1) + 1;
    messages.push_back(members - teams);
    teams = members;
  }
  return messages;
}

TEST(Hierarchical, EntersEachGroupOnce) {
  Groupings groupings;
  for (int ranks = 1; ranks <= 40; ++ranks)
    for (const Hierarchy& groups :
         {groupings.consecutive(ranks, 2), groupings.consecutive(ranks, 3), groupings.any(ranks, 2),
          groupings.any(ranks, 3)})
      for (const int root : {0, ranks / 3, ranks - 1}) {
        const auto trees = of_trees(groups);
        const auto messages = [&](auto operation) {
          return crossings(groups,
                           [&](Team team) { return operation(team, Root{root}, groups, {}); });
        };
        EXPECT_EQ(messages(hierarchical::broadcast), trees);
        EXPECT_EQ(messages(hierarchical::reduce), trees);
        if (!groups.consecutive()) continue;
        EXPECT_EQ(messages(hierarchical::gather), trees);
        EXPECT_EQ(messages(hierarchical::scatter), trees);
      }
}

int all_sends(int ranks, const test::Generator& make) {
  int sends = 0;
  for (int r = 0; r < ranks; ++r) sends += test::count_sends(make({ranks, r}));
  return sends;
}

TEST(Hierarchical, OnlyLeadersTalkAcross) {
  Groupings groupings;
  for (int ranks = 1; ranks <= 40; ++ranks)
    for (int levels = 2; levels <= 3; ++levels) {
      const Hierarchy groups = groupings.consecutive(ranks, levels);
      const int outermost = groups.member_at(0, ranks - 1) + 1;
      const auto messages = [&](auto operation) {
        return crossings(groups, [&](Team team) { return operation(team, groups, {}); });
      };
      auto twice = of_trees(groups);  // up and down
      for (int& count : twice) count *= 2;
      twice[0] = all_sends(outermost, allreduce::recursive_doubling);
      EXPECT_EQ(messages(hierarchical::allreduce), twice);
      twice[0] = all_sends(outermost, allgather::ring);
      EXPECT_EQ(messages(hierarchical::allgather), twice);
      twice[0] = all_sends(outermost, [](Team team) { return barrier::dissemination(team); });
      EXPECT_EQ(messages(hierarchical::barrier), twice);
    }
}

TEST(Hierarchical, TakesTheAlgorithmsOfEachLevel) {
  const hierarchical::ByLevel broadcasts{
      [](Team team, Root root) { return broadcast::scatter_allgather(team, root); },
      [](Team team, Root root) { return broadcast::chain(team, root, 5); }};
  const hierarchical::ByLevel reductions{
      [](Team team, Root root) { return reduce::butterfly(team, root); },
      [](Team team, Root root) { return reduce::pipeline(team, root, 3); },
      [](Team team, Root root) { return reduce::n_way_binomial(team, root, 3); }};
  const hierarchical::ByLevel gathers{
      gather::linear, [](Team team, Root root) { return gather::n_way_binomial(team, root, 2); }};
  const hierarchical::ByLevel scatters{
      [](Team team, Root root) { return scatter::n_way_binomial(team, root, 3); }, scatter::linear};
  const hierarchical::BarrierLevels signals{
      .across = [](Team team) { return barrier::dissemination(team, 3); },
      .before = [](Team team) { return barrier::fan_in(team, 4); },
      .after = [](Team team) { return barrier::fan_out(team, 2); }};
  Groupings groupings;
  for (int ranks = 1; ranks <= 64; ranks += ranks < 8 ? 1 : 5)
    for (int levels = 2; levels <= 3; ++levels)
      for (const Place place : places) {
        const Hierarchy groups = groupings.consecutive(ranks, levels);
        SCOPED_TRACE(std::to_string(ranks) + " ranks, " + std::to_string(levels) + " levels");
        const auto rooted = [&](auto operation, const hierarchical::ByLevel& by_level, int root) {
          return test::Trial{ranks, place, [&, operation, root](Team team) {
                               return operation(team, Root{root}, groups, by_level);
                             }};
        };
        for (const int root : some_roots(ranks)) {
          EXPECT_EQ(
              test::check_broadcast(rooted(hierarchical::broadcast, broadcasts, root), root, 97),
              "");
          EXPECT_EQ(test::check_reduce(rooted(hierarchical::reduce, reductions, root), root, 97,
                                       Order::any_operator),
                    "");
          for (const auto& counts : test::block_counts(ranks)) {
            EXPECT_EQ(test::check_gather(rooted(hierarchical::gather, gathers, root), root, counts),
                      "");
            EXPECT_EQ(
                test::check_scatter(rooted(hierarchical::scatter, scatters, root), root, counts),
                "");
          }
        }
        for (const auto& across : {allreduce::rabenseifner, allreduce::fan_in_fan_out})
          EXPECT_EQ(
              test::check_allreduce(
                  {ranks, place,
                   [&](Team team) {
                     return hierarchical::allreduce(team, groups, {across, reductions, broadcasts});
                   }},
                  97, Order::any_operator),
              "");
        for (const auto& across :
             {hierarchical::Flat([](Team team) { return allgather::bruck(team, 2); }),
              hierarchical::Flat(allgather::sparbit)})
          EXPECT_EQ(
              test::check_allgather(
                  {ranks, place,
                   [&](Team team) {
                     return hierarchical::allgather(team, groups, {across, gathers, broadcasts});
                   }},
                  test::block_counts(ranks).back()),
              "");
        EXPECT_EQ(test::check_barrier(
                      {ranks, place,
                       [&](Team team) { return hierarchical::barrier(team, groups, signals); }}),
                  "");
        if (testing::Test::HasFailure()) return;
      }
}

TEST(Hierarchical, CutsVectorsForAllLevels) {
  const Hierarchy groups = Hierarchy::even(12, std::array{4});
  const auto segmented = [](int segments) {
    return [=](Team team, Root root) { return broadcast::chain(team, root, segments); };
  };
  EXPECT_EQ(hierarchical::broadcast({12, 5}, {0}, groups, {segmented(4), segmented(6)}).blocks(),
            12);
  EXPECT_EQ(hierarchical::broadcast({12, 5}, {0}, groups).blocks(), 1);
}

TEST(Hierarchical, RefusesWhatDoesntFit) {
  const Hierarchy dealt = Hierarchy::named({{0, 1, 0, 1}});
  EXPECT_THROW(hierarchical::gather({5, 0}, {0}, dealt), std::invalid_argument);
  EXPECT_THROW(hierarchical::gather({4, 0}, {4}, dealt), std::invalid_argument);
  EXPECT_THROW(hierarchical::scatter({4, 0}, {-1}, dealt), std::invalid_argument);
  EXPECT_THROW(hierarchical::allgather({3, 0}, dealt), std::invalid_argument);
  EXPECT_THROW(hierarchical::alltoall({5, 0}, dealt), std::invalid_argument);
  EXPECT_THROW(hierarchical::broadcast({5, 0}, {0}, dealt), std::invalid_argument);
  EXPECT_THROW(hierarchical::broadcast({4, 0}, {4}, dealt), std::invalid_argument);
}

}  // namespace
}  // namespace cartwright::plan
