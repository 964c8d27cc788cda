// SPDX-License-Identifier: Apache-2.0
// Every algorithm of the catalogue, with every tuning, is right; its rounds are what its schedules
// do; a selection is the same wherever it is made.
#include <gtest/gtest.h>
#include <cartwright/plan/selection/by_nodes.hpp>
#include <cartwright/plan/selection/catalogue.hpp>
#include <cartwright/plan/selection/selector.hpp>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>
#include <stdexcept>

#include "collective_check.hpp"

namespace cartwright::plan {
namespace {

Machine three_levels() {
  Machine machine{.name = "three levels", .about = "", .source = "", .levels = {}};
  machine.levels.push_back({.name = "node",
                            .units = 0,
                            .network = log_gp(2e-6, 0.3e-6, 0.3e-6, 0.2e-6, 0.1e-9),
                            .leaving = {}});
  machine.levels.push_back({.name = "socket",
                            .units = 2,
                            .network = log_gp(0.6e-6, 0.2e-6, 0.2e-6, 0.1e-6, 0.05e-9),
                            .leaving = {}});
  machine.levels.push_back({.name = "core",
                            .units = 4,
                            .network = log_gp(0.3e-6, 0.2e-6, 0.2e-6, 0.1e-6, 0.05e-9),
                            .leaving = {}});
  machine.reduce_byte_time = 0.05e-9;
  machine.copy_byte_time = 0.05e-9;
  return machine;
}

std::string check(const Problem& problem, const Choice& choice, Place place) {
  const test::Trial trial{problem.ranks, place, choice.maker(problem)};
  const bool any_operator =
      choice.algorithm->any_operator && problem.nodes == nullptr && choice.order.empty();
  const auto order = any_operator ? test::Order::any_operator : test::Order::commutative;
  const std::vector<Count> counts(static_cast<std::size_t>(problem.ranks), problem.elements);
  switch (problem.operation) {
    case Operation::allreduce:
      return check_allreduce(trial, problem.elements, order);
    case Operation::reduce:
      return check_reduce(trial, problem.root.rank, problem.elements, order);
    case Operation::reduce_scatter:
      return check_reduce_scatter(trial, counts, order);
    case Operation::scan:
      return check_scan(trial, problem.elements, true);
    case Operation::exscan:
      return check_scan(trial, problem.elements, false);
    case Operation::broadcast:
      return check_broadcast(trial, problem.root.rank, problem.elements);
    case Operation::scatter:
      return check_scatter(trial, problem.root.rank, counts);
    case Operation::gather:
      return check_gather(trial, problem.root.rank, counts);
    case Operation::allgather:
      return check_allgather(trial, counts);
    case Operation::alltoall:
      return check_alltoall(trial, problem.elements);
    case Operation::barrier:
      return check_barrier(trial);
  }
  return "unknown operation";
}

std::vector<int> roots_of(Operation operation, int ranks) {
  if (!is_rooted(operation)) return {0};
  std::set<int> roots{0, ranks / 2, ranks - 1};
  return {roots.begin(), roots.end()};
}

TEST(Catalogue, EveryChoiceIsRight) {
  const Machine machine = three_levels();
  for (const Operation operation : operations())
    for (const int ranks : {1, 2, 3, 4, 5, 7, 8, 12, 16, 17, 24, 31})
      for (const int root : roots_of(operation, ranks)) {
        const Problem problem{
            .operation = operation, .ranks = ranks, .root = {root}, .elements = 5};
        const auto all = choices(problem, machine);
        ASSERT_FALSE(all.empty()) << name_of(operation) << " on " << ranks;
        for (const Choice& choice : all)
          for (const Place place : {Place::separate, Place::in_place})
            EXPECT_EQ(check(problem, choice, place), "")
                << name_of(operation) << " by " << choice.name() << " on " << ranks
                << " ranks, root " << root;
      }
}

/// Plans for arrivals are made for all ranks by each: what is offered takes no seconds.
TEST(Catalogue, OffersNoPlansOfMillionsOfMessages) {
  for (const int ranks : {8, 1024, 16384, 131072, 1 << 20}) {
    const Problem problem{.operation = Operation::reduce, .ranks = ranks, .elements = 1 << 20};
    for (const Choice& choice : choices(problem, three_levels())) {
      if (!choice.algorithm->name.starts_with("clairvoyant")) continue;
      EXPECT_LE(std::stoi(choice.tuning) * static_cast<long long>(ranks), std::max(300'000, ranks))
          << choice.tuning << " on " << ranks;
    }
  }
}

// Any algorithm that works for all sizes of teams, as any stage.
TEST(ByNodes, EveryStageMayBeCarriedOutByAnything) {
  std::mt19937 random(7);
  const auto anything = [&](const Problem& part) {
    std::vector<Choice> all = choices(part, flat_machine(log_gp(2e-6, 1e-6, 1e-6, 1e-6, 1e-9)));
    std::erase_if(all, [](const Choice& choice) {
      const std::string_view tuning = choice.algorithm->tuning;
      return choice.algorithm->suits != nullptr || tuning == "factors" || tuning == "stages";
    });
    return all[random() % all.size()];
  };
  for (const std::vector<int>& node_of_each :
       std::vector<std::vector<int>>{{0, 0, 1, 1},
                                     {0, 0, 0, 1},
                                     {0, 1, 0, 1},
                                     {3, 1, 1, 1, 3, 7, 7},
                                     {0, 0, 0, 1, 1, 1, 2, 2, 2},
                                     {0, 1, 2, 0, 1, 2, 0, 1, 2, 0}}) {
    const Hierarchy nodes = Hierarchy::named({node_of_each});
    const int ranks = nodes.ranks();
    for (const Operation operation : operations())
      for (const int root : roots_of(operation, ranks))
        for (int turn = 0; turn < 10; ++turn) {
          Problem problem{.operation = operation, .ranks = ranks, .root = {root}, .elements = 11};
          problem.nodes = &nodes;
          const auto choice = choice_by_nodes(problem, anything, anything);
          if (!choice) continue;
          EXPECT_EQ(parse_choice(operation, choice->name()).name(), choice->name());
          for (const Place place : {Place::separate, Place::in_place})
            EXPECT_EQ(check(problem, *choice, place), "")
                << name_of(operation) << " by " << choice->name() << ", root " << root;
          EXPECT_GE(formula_time(problem, three_levels(), *choice), 0);
        }
  }
}

TEST(ByNodes, NothingWhereNodesSayNothing) {
  const auto first = [](const Problem& part) { return choices(part, unit_machine()).front(); };
  Problem problem{.operation = Operation::broadcast, .ranks = 4};
  EXPECT_FALSE(choice_by_nodes(problem, first, first));
  for (const std::vector<int>& node_of_each : {std::vector<int>{0, 0, 0, 0}, {0, 1, 2, 3}}) {
    const Hierarchy nodes = Hierarchy::named({node_of_each});
    problem.nodes = &nodes;
    EXPECT_FALSE(choice_by_nodes(problem, first, first));
  }
  const Hierarchy nodes = Hierarchy::named({{0, 1, 0, 1}});
  problem.nodes = &nodes;
  EXPECT_TRUE(choice_by_nodes(problem, first, first));
  problem.operation = Operation::allgather;
  EXPECT_TRUE(choice_by_nodes(problem, first, first));
  problem.even_blocks = false;  // blocks of different lengths keep their order
  EXPECT_FALSE(choice_by_nodes(problem, first, first));
}

TEST(Orders, RanksTakePartInAnyOrder) {
  std::mt19937 random(11);
  for (const Operation operation :
       {Operation::broadcast, Operation::reduce, Operation::allreduce, Operation::barrier})
    for (const int ranks : {1, 2, 3, 4, 5, 7, 8, 12})
      for (const int root : roots_of(operation, ranks)) {
        const Problem problem{
            .operation = operation, .ranks = ranks, .root = {root}, .elements = 11};
        for (Choice choice : choices(problem, three_levels())) {
          choice.order.resize(static_cast<std::size_t>(ranks));
          std::iota(choice.order.begin(), choice.order.end(), 0);
          std::shuffle(choice.order.begin(), choice.order.end(), random);
          for (const Place place : {Place::separate, Place::in_place})
            EXPECT_EQ(check(problem, choice, place), "")
                << name_of(operation) << " by " << choice.name() << ", root " << root;
          const Choice read = parse_choice(operation, choice.name());
          EXPECT_EQ(read.order, choice.order);
          EXPECT_EQ(read.name(), choice.name());
        }
      }
}

TEST(Orders, LeadWhereTheySay) {
  const Problem problem{.operation = Operation::broadcast, .ranks = 4, .root = {2}};
  const Choice chain = parse_choice(Operation::broadcast, "chain(1) in order 2,0,3,1");
  const auto peer_of = [&](int me, StepKind kind) {
    const Schedule schedule = chain.maker(problem)({.ranks = 4, .me = me});
    for (const Step& step : schedule.steps())
      if (step.kind == kind) return step.peer;
    return -1;
  };
  EXPECT_EQ(peer_of(2, StepKind::send), 0);
  EXPECT_EQ(peer_of(0, StepKind::send), 3);
  EXPECT_EQ(peer_of(3, StepKind::send), 1);
  EXPECT_EQ(peer_of(1, StepKind::send), -1);
}

TEST(Orders, AreRefusedWhereTheyMeanNothing) {
  for (const char* text : {"ring in order 0,0", "ring in order 1,2", "ring in order ",
                           "ring in order 1,", "ring in order 0;1", "ring in order 0,x"})
    EXPECT_THROW((void)parse_choice(Operation::allreduce, text), std::invalid_argument) << text;
  const Choice two = parse_choice(Operation::allreduce, "ring in order 1,0");
  EXPECT_THROW((void)two.maker({.operation = Operation::allreduce, .ranks = 3}),
               std::invalid_argument);
  EXPECT_THROW(
      (void)two.maker({.operation = Operation::allreduce, .ranks = 2, .commutative = false}),
      std::invalid_argument);
  const Choice gather = parse_choice(Operation::gather, "linear in order 1,0");
  EXPECT_THROW((void)gather.maker({.operation = Operation::gather, .ranks = 2}),
               std::invalid_argument);
}

TEST(Catalogue, KeepsItsPromisesToNonCommutativeOperators) {
  for (const Operation operation : operations()) {
    const Problem problem{.operation = operation, .ranks = 12, .elements = 5, .commutative = false};
    for (const Choice& choice : choices(problem, three_levels()))
      EXPECT_TRUE(!is_reduction(operation) || choice.algorithm->any_operator) << choice.name();
  }
}

TEST(Catalogue, NamesAreReadBack) {
  for (const Operation operation : operations()) {
    EXPECT_EQ(operation_named(name_of(operation)), operation);
    const Problem problem{.operation = operation, .ranks = 24, .elements = 5};
    for (const Choice& choice : choices(problem, three_levels())) {
      const Choice read = parse_choice(operation, choice.name());
      EXPECT_EQ(read.algorithm, choice.algorithm);
      EXPECT_EQ(read.tuning, choice.tuning);
    }
  }
}

TEST(Catalogue, RefusesWhatItHasNot) {
  const auto message = [](std::string_view text) -> std::string {
    try {
      parse_choice(Operation::broadcast, text);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "nothing";
  };
  EXPECT_EQ(message("linear(3)"), "linear takes nothing in brackets");
  EXPECT_EQ(message("chain"), "chain needs its segments: chain(…)");
  EXPECT_NE(message("chain(3").find("there is no algorithm 'chain(3' for broadcast"),
            std::string::npos);
  EXPECT_NE(message("").find("k_nomial(fan-out)"), std::string::npos);
  EXPECT_EQ(message("chain(0)"), "'0' should be a whole number from 1 on");
  for (const char* text : {"hierarchical(nodes: linear)", "hierarchical(nodes: linear | ring)",
                           "hierarchical(node)", "hierarchical(nodes:)"})
    EXPECT_NE(message(text), "nothing") << text;
  EXPECT_EQ(message("hierarchical(nodes: k_ary(2) | chain(4))"), "nothing");
  EXPECT_THROW((void)parse_choice(Operation::broadcast, "hierarchical(nodes)")
                   .maker({.operation = Operation::broadcast, .ranks = 4})({.ranks = 4}),
               std::invalid_argument);
  EXPECT_NE(message("hierarchical(2,3)").find("don't divide"), std::string::npos);
  for (const char* text : {"recursive_multiplying(a0)", "recursive_multiplying(a1)",
                           "recursive_multiplying(m1g7)", "recursive_multiplying(a2,,a2)",
                           "recursive_multiplying(c3m2,a2)", "split_multiplying(2,0)"})
    EXPECT_THROW((void)parse_choice(Operation::allreduce, text), std::invalid_argument) << text;
  const Problem problem{.operation = Operation::broadcast, .ranks = 4};
  for (const char* tuning : {"0", "-1", "x", "3x", ""})
    EXPECT_THROW(Choice({&algorithms(Operation::broadcast)[6], tuning}).maker(problem),
                 std::invalid_argument)
        << tuning;
}

TEST(Catalogue, RefusesProblemsThatAreNone) {
  const Machine machine = three_levels();
  EXPECT_THROW(choices({.ranks = 4}, Machine{}), std::invalid_argument);
  EXPECT_THROW(choices({.ranks = 0}, machine), std::invalid_argument);
  EXPECT_THROW(choices({.ranks = 4, .root = {4}}, machine), std::invalid_argument);
  EXPECT_THROW(choices({.ranks = 4, .elements = -1}, machine), std::invalid_argument);
}

// On ranks that are all alike: where every rank does the same the formula is exact; elsewhere it is
// an estimate, which has to order algorithms well.
TEST(Formula, IsCloseToTheSimulation) {
  const Machine machine = flat_machine(log_gp(2e-6, 0.3e-6, 0.3e-6, 0.2e-6, 0.1e-9), 0.0, 0.05e-9);
  const std::set<std::string_view> exact{"recursive_doubling", "ring", "pairwise"};
  for (const Operation operation : operations())
    for (const int ranks : {8, 27, 64})
      for (const Count elements : {Count{1}, Count{64}, Count{8192}}) {
        const Problem problem{.operation = operation, .ranks = ranks, .elements = elements * ranks};
        for (const Choice& choice : choices(problem, machine)) {
          const auto formula = static_cast<double>(formula_time(problem, machine, choice));
          const auto simulated =
              static_cast<double>(simulate_choice(problem, machine, choice).total);
          const std::string what = std::string(name_of(operation)) + " by " + choice.name() +
                                   " on " + std::to_string(ranks) + " of " +
                                   std::to_string(problem.bytes());
          EXPECT_LT(simulated, 1.6 * formula) << what;
          EXPECT_LT(formula, 3.0 * simulated) << what;
          if (exact.contains(choice.algorithm->name) && ranks != 27 &&
              operation != Operation::reduce && operation != Operation::scan &&
              operation != Operation::exscan) {
            EXPECT_NEAR(formula, simulated, 0.01 * simulated) << what;
          }
        }
      }
}

TEST(Formula, CountsAtLeastTheStepsThatThereAre) {
  const Machine machine = three_levels();
  for (const Operation operation : operations())
    for (const int ranks : {2, 5, 24, 64}) {
      const Problem problem{.operation = operation, .ranks = ranks, .elements = 64};
      for (const Choice& choice : choices(problem, machine))
        EXPECT_GE(steps_of(problem, choice), simulate_choice(problem, machine, choice).steps)
            << name_of(operation) << " by " << choice.name() << " on " << ranks;
    }
}

TEST(Selector, ChoosesTheQuickestAndExplainsIt) {
  const Machine archer = flat_machine(pipelined(880e-9, 380e-9));
  const Problem problem{.operation = Operation::allreduce, .ranks = 64};
  const auto ranked = rank_candidates(problem, archer);
  EXPECT_EQ(ranked.front().choice.name(), "recursive_multiplying(a4,a4,a4)");
  EXPECT_EQ(ranked.front().time, 6'060'000);
  EXPECT_NE(explain(problem, archer, ranked).find("allreduce of 8 B on 64 ranks"),
            std::string::npos);
  EXPECT_TRUE(std::ranges::is_sorted(ranked, {}, &Candidate::time));
}

TEST(Selector, SimulatesFinalistsWhereItMay) {
  const Machine machine = three_levels();
  const Problem problem{.operation = Operation::broadcast, .ranks = 24, .elements = 1024};
  const auto ranked =
      rank_candidates(problem, machine, {.simulated_steps = 1'000'000, .finalists = 5});
  EXPECT_EQ(std::ranges::count(ranked, CostKind::simulated, &Candidate::kind), 5);
  for (const Candidate& candidate : ranked)
    if (candidate.kind == CostKind::simulated) {
      EXPECT_EQ(candidate.time, simulate_choice(problem, machine, candidate.choice).total);
    }
}

// Both binomial trees take equally long by formula, and one sends 3 messages between four nodes of
// four ranks, the other 12.
TEST(Selector, OfEquallyQuickOnesTheFirstKeepsToTheNode) {
  const Machine machine = three_levels();
  const Machine flat = flat_machine(log_gp(1e-6, 0.3e-6, 0.3e-6, 0.3e-6, 1e-10));
  const std::vector<int> four_by_four{4};
  const Hierarchy nodes = Hierarchy::even(16, four_by_four);
  const auto reach = [&](const Problem& problem, const Machine& on, std::string_view name) {
    return reach_of(problem, on, parse_choice(problem.operation, name));
  };
  Problem problem{
      .operation = Operation::broadcast, .ranks = 16, .elements = 8192, .nodes = &nodes};
  EXPECT_EQ(reach(problem, flat, "binomial_low_bit_first")->messages, 3);
  EXPECT_EQ(reach(problem, flat, "binomial_low_bit_first")->bytes, 3 * 65536);
  EXPECT_EQ(reach(problem, flat, "binomial_high_bit_first")->messages, 12);
  EXPECT_EQ(reach(problem, flat, "hierarchical(4)")->messages, 3);
  for (const Hierarchy* const known : {&nodes, static_cast<const Hierarchy*>(nullptr)})
    for (const Machine& on : {machine, flat}) {
      problem.nodes = known;
      const auto ranked = rank_candidates(problem, on);
      const auto& best = ranked.front();
      for (const Candidate& other : ranked) {
        if (other.time != best.time) continue;
        EXPECT_LE(*reach_of(problem, on, best.choice), *reach_of(problem, on, other.choice))
            << other.choice.name();
      }
      const Choice simplest = select_simplest(problem, on);
      EXPECT_NE(simplest.name(), "binomial_high_bit_first");
    }
}

TEST(Selector, CountsNothingWhereThatTakesLong) {
  const Machine machine = flat_machine(pipelined(880e-9, 380e-9));
  const Problem all{.operation = Operation::alltoall, .ranks = 4096};
  EXPECT_FALSE(reach_of(all, machine, parse_choice(Operation::alltoall, "pairwise")));
  EXPECT_NO_THROW((void)select_simplest(all, machine));
}

TEST(Selector, GroupsPayWhereNodesAreFarApart) {
  Machine machine = three_levels();
  machine.levels[0].network = log_gp(5e-6, 1e-6, 1e-6, 5e-6, 1e-9);
  const Problem problem{
      .operation = Operation::broadcast, .ranks = 61, .root = {13}, .elements = 4096};
  const auto time_of_choice = [&](std::string_view name) {
    return simulate_choice(problem, machine, parse_choice(problem.operation, name)).total;
  };
  EXPECT_LT(time_of_choice("hierarchical(8)"), time_of_choice("binomial_low_bit_first"));
  EXPECT_LT(time_of_choice("hierarchical(8,4)"), time_of_choice("binomial_high_bit_first"));
}

}  // namespace
}  // namespace cartwright::plan
