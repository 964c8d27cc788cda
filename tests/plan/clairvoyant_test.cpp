// SPDX-License-Identifier: Apache-2.0
// Plans for when ranks arrive: each contribution once, the lengths that Marendic 2016 prints, and
// how far from the least that any plan takes.
#include <cartwright/plan/algorithms/allreduce.hpp>
#include <cartwright/plan/algorithms/clairvoyant.hpp>
#include <cartwright/plan/selection/catalogue.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <set>

#include "collective_check.hpp"
#include "transfer_check.hpp"

namespace cartwright::plan {
namespace {

using test::Pattern;

constexpr std::array rules{PlanRule::grouped, PlanRule::strict, PlanRule::backward,
                           PlanRule::ordered};

bool is_long() {
  return std::getenv("CARTWRIGHT_LONG_TESTS") != nullptr;
}

int combines(const TransferPlan& plan) {
  return static_cast<int>(std::ranges::count(plan.transfers, true, &Transfer::combines));
}

void expect_right(const ArrivalTask& task, PlanRule rule, std::string_view pattern) {
  const TransferPlan plan = clairvoyant_plan(task, rule);
  EXPECT_EQ(test::fault_of(plan, rule == PlanRule::ordered), "")
      << name_of(rule) << ", " << pattern << ": " << task.ranks << " ranks, root " << task.root
      << ", " << task.segments << " segments";
}

TEST(Clairvoyant, CombinesEverythingOnceOnAnyNumberOfRanks) {
  std::mt19937_64 random(11);
  const std::vector<int> segments =
      is_long() ? std::vector{1, 2, 3, 5, 8, 16, 33, 70} : std::vector{1, 3, 16};
  for (int ranks = 2; ranks <= 130; ++ranks)
    for (const int count : segments)
      for (const Pattern pattern : test::patterns) {
        const auto root = static_cast<int>(random() % static_cast<unsigned>(ranks));
        const Nanoseconds unit = 1000 * (test::doublings(ranks) + count - 1);
        const auto arrivals = test::arrivals_of(pattern, ranks, root, unit, random);
        const ArrivalTask task{
            .ranks = ranks, .root = root, .segments = count, .round = 1000, .arrivals = arrivals};
        for (const PlanRule rule : rules)
          if (is_long() || rule != PlanRule::ordered || ranks < 40)
            expect_right(task, rule, test::name_of(pattern));
      }
}

TEST(Clairvoyant, CombinesEverythingOnceInRandomCases) {
  std::mt19937_64 random(12);
  const int cases = is_long() ? 100'000 : 2'000;
  for (int i = 0; i < cases; ++i) {
    const auto ranks = static_cast<int>(2 + random() % 40);
    const auto root = static_cast<int>(random() % static_cast<unsigned>(ranks));
    const auto pattern = test::patterns[random() % std::size(test::patterns)];
    // On whole rounds there are ties, between them none.
    const auto round = static_cast<Nanoseconds>(random() % 2 == 0 ? 1 : 1 + random() % 5000);
    const auto unit = static_cast<Nanoseconds>(random() % 60) * round;
    const auto arrivals = test::arrivals_of(pattern, ranks, root, unit, random);
    const ArrivalTask task{.ranks = ranks,
                           .root = root,
                           .segments = static_cast<int>(1 + random() % 20),
                           .round = round,
                           .arrivals = arrivals};
    expect_right(task, rules[random() % rules.size()], test::name_of(pattern));
  }
}

TEST(Clairvoyant, AnyArrivalsEvenAbsurdOnes) {
  const Nanoseconds latest = Nanoseconds{1} << 60;
  for (const PlanRule rule : rules)
    for (const int root : {0, 3, 6}) {
      const std::vector<Nanoseconds> arrivals{0, latest, 1, latest, 5, latest - 1, 7};
      expect_right({.ranks = 7, .root = root, .segments = 3, .round = 1, .arrivals = arrivals},
                   rule, "absurd");
    }
}

// Marendic 2016, 4: n + N - 1; the repaired algorithm needs one more for few numbers of ranks.
TEST(Clairvoyant, IsAsShortAsCanBeForRanksThatComeTogether) {
  const std::set<int> one_more{21, 41, 53, 81, 105, 117};
  for (int ranks = 2; ranks <= 130; ++ranks)
    for (const int segments : {1, 2, 3, 5, 8, 16, 33}) {
      const int least = test::doublings(ranks) + segments - 1;
      const TransferPlan plan =
          clairvoyant_plan({.ranks = ranks, .root = ranks / 3, .segments = segments}, rules[0]);
      EXPECT_GE(plan.rounds, least);
      EXPECT_LE(plan.rounds, least + (one_more.contains(ranks) && segments >= 7 ? 1 : 0))
          << ranks << " ranks, " << segments << " segments";
    }
  for (const int ranks : {4, 8, 16, 32, 64, 128, 256, 512})
    for (const int segments : {4, 16, 40, 128})
      EXPECT_EQ(clairvoyant_plan({.ranks = ranks, .segments = segments}, rules[0]).rounds,
                test::doublings(ranks) + segments - 1);
}

// Marendic 2016, table 2.
TEST(Clairvoyant, FourRanksAndFourSegments) {
  const TransferPlan plan = clairvoyant_plan({.ranks = 4, .segments = 4}, PlanRule::grouped);
  EXPECT_EQ(plan.rounds, 5);
  EXPECT_EQ(plan.transfers.size(), 15U);
  EXPECT_EQ(combines(plan), 12);
  std::set<std::array<int, 3>> first_round;
  for (const Transfer& transfer : plan.transfers)
    if (transfer.round == 0) first_round.insert({transfer.to, transfer.from, transfer.segment});
  EXPECT_EQ(first_round,
            (std::set<std::array<int, 3>>{{0, 1, 0}, {1, 0, 1}, {2, 3, 0}, {3, 2, 1}}));
}

// Marendic 2016, figure 8: of what comes just when a round ends, the strict rule knows nothing yet.
TEST(Clairvoyant, OneIsLateByFiveRounds) {
  const std::vector<Nanoseconds> arrivals{0, 0, 0, 5};
  const ArrivalTask task{.ranks = 4, .segments = 4, .arrivals = arrivals};
  const TransferPlan strict = clairvoyant_plan(task, PlanRule::strict);
  const TransferPlan grouped = clairvoyant_plan(task, PlanRule::grouped);
  EXPECT_EQ(strict.length, 9);
  EXPECT_EQ(grouped.length, 8);
  EXPECT_EQ(test::executed(strict, arrivals, 1), 9);
  EXPECT_EQ(test::executed(grouped, arrivals, 1), 9);
}

// Marendic 2016, 5.3: 40 MiB on 128 ranks, the last one late by 60 ms.
TEST(Clairvoyant, FortyMebibytesOnACluster) {
  std::vector<Nanoseconds> arrivals(128, 0);
  arrivals.back() = 60'000'000;
  const ArrivalTask late{.ranks = 128, .segments = 40, .round = 643'000, .arrivals = arrivals};
  const TransferPlan plan = clairvoyant_plan(late, PlanRule::grouped);
  EXPECT_EQ(plan.length, 133);
  EXPECT_EQ(plan.transfers.size(), 5158U);
  EXPECT_EQ(combines(plan), 5080);
  const TransferPlan together = clairvoyant_plan({.ranks = 128, .segments = 40}, PlanRule::grouped);
  EXPECT_EQ(together.length, 46);
  EXPECT_EQ(together.transfers.size(), 5119U);
}

TEST(Clairvoyant, OneSegmentIsOptimal) {
  std::mt19937_64 random(13);
  for (int i = 0; i < 500; ++i) {
    const auto ranks = static_cast<int>(2 + random() % 70);
    const auto root = static_cast<int>(random() % static_cast<unsigned>(ranks));
    const auto pattern = test::patterns[random() % std::size(test::patterns)];
    const auto arrivals = test::arrivals_of(pattern, ranks, root, 9000, random);
    const ArrivalTask task{.ranks = ranks, .root = root, .round = 1000, .arrivals = arrivals};
    const TransferPlan plan = clairvoyant_plan(task, PlanRule::grouped);
    EXPECT_EQ(test::executed(plan, arrivals, 1000), earliest_merge(task));
  }
  // Where the algorithm as printed takes a round more.
  const std::vector<Nanoseconds> arrivals{0, 1, 0};
  const ArrivalTask task{.ranks = 3, .root = 1, .arrivals = arrivals};
  EXPECT_EQ(test::executed(clairvoyant_plan(task, PlanRule::grouped), arrivals, 1), 2);
}

// The least T for which halves, quarters … of what is left for each rank sum up to 1 at most.
TEST(Clairvoyant, TheEarliestMergeIsThatOfTheFormula) {
  std::mt19937_64 random(14);
  for (int i = 0; i < 300; ++i) {
    const auto ranks = static_cast<int>(2 + random() % 30);
    const auto arrivals = test::arrivals_of(Pattern::uniform, ranks, 0, 40, random);
    const auto round = static_cast<Nanoseconds>(1 + random() % 7);
    const auto fits = [&](Nanoseconds time) {
      double sum = 0.0;
      for (const Nanoseconds arrival : arrivals)
        sum += time < arrival ? 2.0 : std::ldexp(1.0, -static_cast<int>((time - arrival) / round));
      return sum <= 1.0;
    };
    Nanoseconds least = 0;
    while (!fits(least)) ++least;
    const ArrivalTask task{.ranks = ranks, .segments = 5, .round = round, .arrivals = arrivals};
    EXPECT_EQ(earliest_merge(task), least);
    EXPECT_EQ(earliest_end(task), least + 4 * round);
  }
  EXPECT_EQ(earliest_end({.ranks = 1, .segments = 9, .round = 5}), 0);
}

// How much longer than the least that any plan takes, on average: the best of the rules, as the
// portfolio takes it.
double mean_gap(int ranks, int segments, Pattern pattern, int cases) {
  std::mt19937_64 random(15);
  const Nanoseconds round = 1000;
  const Nanoseconds unit = round * (test::doublings(ranks) + segments - 1);
  double sum = 0.0;
  for (int i = 0; i < cases; ++i) {
    const auto root = static_cast<int>(random() % static_cast<unsigned>(ranks));
    const auto arrivals = test::arrivals_of(pattern, ranks, root, unit, random);
    const ArrivalTask task{
        .ranks = ranks, .root = root, .segments = segments, .round = round, .arrivals = arrivals};
    Nanoseconds best = std::numeric_limits<Nanoseconds>::max();
    for (const PlanRule rule : {PlanRule::grouped, PlanRule::strict, PlanRule::backward})
      best = std::min(best, test::executed(clairvoyant_plan(task, rule), arrivals, round));
    EXPECT_GE(best, earliest_end(task));
    sum += static_cast<double>(best) / static_cast<double>(earliest_end(task)) - 1.0;
  }
  return sum / cases;
}

TEST(Clairvoyant, IsCloseToTheLeastThatAnyPlanTakes) {
  const int cases = is_long() ? 200 : 20;
  for (const auto& [ranks, segments] :
       {std::pair{8, 16}, std::pair{16, 8}, std::pair{64, 16}, std::pair{64, 40},
        std::pair{128, 16}, std::pair{100, 16}}) {
    const std::string what =
        std::to_string(ranks) + " ranks, " + std::to_string(segments) + " segments";
    const auto gap = [&](Pattern pattern) { return mean_gap(ranks, segments, pattern, cases); };
    EXPECT_LT(gap(Pattern::last_late), 0.02) << what;
    EXPECT_LT(gap(Pattern::root_late), 0.02) << what;
    EXPECT_LT(gap(Pattern::bernoulli), 0.02) << what;
    EXPECT_LT(gap(Pattern::uniform), 0.06) << what;
    EXPECT_LT(gap(Pattern::spread), 0.03) << what;
    EXPECT_LT(gap(Pattern::gamma), 0.01) << what;
  }
}

// What has no chance to end in time isn't planned to its end; what is, is the same as without
// limit.
TEST(Clairvoyant, EndsUntilALimitOrNotAtAll) {
  std::mt19937_64 random(19);
  for (const Pattern pattern : test::patterns)
    for (const PlanRule rule : rules)
      for (const int segments : {1, 7}) {
        const auto arrivals = test::arrivals_of(pattern, 30, 4, 11'000, random);
        const ArrivalTask task{
            .ranks = 30, .root = 4, .segments = segments, .round = 1000, .arrivals = arrivals};
        const TransferPlan plan = clairvoyant_plan(task, rule);
        const Nanoseconds least = earliest_end(task);
        EXPECT_FALSE(clairvoyant_plan_until(task, rule, least - 1));
        for (Nanoseconds latest = least; latest < least + 20'000; latest += 300) {
          const auto found = clairvoyant_plan_until(task, rule, latest);
          if (found) {
            EXPECT_EQ(*found, plan);
          } else {
            EXPECT_GT(test::executed(plan, arrivals, 1000), latest - 1000);
          }
        }
        EXPECT_TRUE(clairvoyant_plan_until(task, rule, Nanoseconds{1} << 60));
      }
}

TEST(Clairvoyant, IsTheSameWhereverItIsMade) {
  std::mt19937_64 random(16);
  const auto arrivals = test::arrivals_of(Pattern::alternating, 24, 0, 7200, random);
  const ArrivalTask task{
      .ranks = 24, .root = 5, .segments = 7, .round = 3600, .arrivals = arrivals};
  std::set<std::uint64_t> hashes;
  for (const PlanRule rule : rules) {
    const TransferPlan plan = clairvoyant_plan(task, rule);
    EXPECT_EQ(plan, clairvoyant_plan(task, rule));
    EXPECT_EQ(plan.hash(), clairvoyant_plan(task, rule).hash());
    hashes.insert(plan.hash());
  }
  EXPECT_EQ(hashes.size(), rules.size());
}

TEST(Clairvoyant, RefusesTasksThatAreNone) {
  const auto plan = [](const ArrivalTask& task) {
    return [task] { (void)clairvoyant_plan(task, PlanRule::grouped); };
  };
  const std::vector<Nanoseconds> two{0, 5}, before{0, -1},
      never{0, std::numeric_limits<Nanoseconds>::max()};
  EXPECT_THROW(plan({.ranks = 0})(), std::invalid_argument);
  EXPECT_THROW(plan({.ranks = 2, .root = 2})(), std::invalid_argument);
  EXPECT_THROW(plan({.ranks = 2, .segments = 0})(), std::invalid_argument);
  EXPECT_THROW(plan({.ranks = 2, .round = 0})(), std::invalid_argument);
  EXPECT_THROW(plan({.ranks = 2, .round = Nanoseconds{1} << 60})(), std::invalid_argument);
  EXPECT_THROW(plan({.ranks = 3, .arrivals = two})(), std::invalid_argument);
  EXPECT_THROW(plan({.ranks = 2, .arrivals = before})(), std::invalid_argument);
  EXPECT_THROW(plan({.ranks = 2, .arrivals = never})(), std::invalid_argument);
  EXPECT_THROW(reduce::planned({.ranks = 3}, SharedPlan({.ranks = 2})), std::invalid_argument);
}

// In the interpreter, behind the validator, as what a deck may say.
std::string check(const Choice& choice, int ranks, int root, Count elements, Place place) {
  const Problem problem{
      .operation = Operation::reduce, .ranks = ranks, .root = {root}, .elements = elements};
  const test::Trial trial{ranks, place, choice.maker(problem)};
  return check_reduce(
      trial, root, elements,
      choice.algorithm->any_operator ? test::Order::any_operator : test::Order::commutative);
}

TEST(ClairvoyantSchedules, AreRight) {
  std::mt19937_64 random(17);
  for (int i = 0; i < (is_long() ? 5000 : 300); ++i) {
    const auto ranks = static_cast<int>(1 + random() % 33);
    const auto root = static_cast<int>(random() % static_cast<unsigned>(ranks));
    const auto segments = 1 + random() % 9;
    const auto pattern = test::patterns[random() % std::size(test::patterns)];
    const std::string in_brackets = "(" + std::to_string(segments) + ",1000";
    for (const std::string& text :
         {"clairvoyant" + in_brackets + ")", "clairvoyant" + in_brackets + ",strict)",
          "clairvoyant" + in_brackets + ",backward)", "clairvoyant_ordered" + in_brackets + ")"}) {
      Choice choice = parse_choice(Operation::reduce, text);
      choice.arrivals = test::arrivals_of(pattern, ranks, root, 9000, random);
      const Place place = i % 2 == 0 ? Place::separate : Place::in_place;
      EXPECT_EQ(check(choice, ranks, root, static_cast<Count>(i % 12), place), "")
          << choice.name() << ", root " << root;
    }
  }
}

TEST(OneLate, GetsTheSumOfTheOthersAndHandsItOut) {
  for (int ranks = 2; ranks <= 40; ++ranks)
    for (const int late : std::set<int>{0, 1, ranks / 2, ranks - 1})
      for (const int segments : {1, 2, 7, 16}) {
        const std::string text =
            "one_late(" + std::to_string(late) + "," + std::to_string(segments) + ")";
        const Choice choice = parse_choice(Operation::allreduce, text);
        EXPECT_EQ(choice.name(), text);
        const Problem problem{
            .operation = Operation::allreduce, .ranks = ranks, .elements = 2 * segments + 1};
        for (const Place place : {Place::separate, Place::in_place}) {
          const test::Trial trial{ranks, place, choice.maker(problem)};
          EXPECT_EQ(check_allreduce(trial, problem.elements, test::Order::commutative), "")
              << text << " on " << ranks;
        }
        // From when it arrives: a round for each segment, and about as many as it takes to reach
        // all.
        const int reduced = test::doublings(ranks - 1) + segments - 1;
        const int rounds = choice.maker(problem)({.ranks = ranks}).rounds();
        EXPECT_LE(rounds - reduced, segments + test::doublings(ranks) + 3) << text;
      }
  EXPECT_THROW((void)parse_choice(Operation::allreduce, "one_late(3)"), std::invalid_argument);
  EXPECT_THROW((void)parse_choice(Operation::allreduce, "one_late(3,0)"), std::invalid_argument);
  EXPECT_THROW((void)parse_choice(Operation::allreduce, "one_late(5,2)")
                   .maker({.operation = Operation::allreduce, .ranks = 5})({.ranks = 5}),
               std::invalid_argument);
  EXPECT_THROW(allreduce::OneLatePlan(1, 0, 1), std::invalid_argument);
  EXPECT_THROW(allreduce::one_late({.ranks = 3}, allreduce::OneLatePlan(4, 0, 1)),
               std::invalid_argument);
}

TEST(ClairvoyantSchedules, AreReadBack) {
  for (const char* text :
       {"clairvoyant(16)", "clairvoyant(16,3600) for arrivals 0*127,60000000",
        "clairvoyant(2,3600,strict) for arrivals 5,0,5*2",
        "clairvoyant_ordered(4,7) for arrivals 0",
        "hierarchical(nodes: binomial | clairvoyant(4,2500) for arrivals 0*3,90)"})
    EXPECT_EQ(parse_choice(Operation::reduce, text).name(), text);
  EXPECT_EQ(parse_choice(Operation::reduce, "clairvoyant(1,9) for arrivals 0,0,7").arrivals,
            (std::vector<std::int64_t>{0, 0, 7}));
  EXPECT_EQ(parse_choice(Operation::reduce, "clairvoyant(1,9) for arrivals 0,0,7").name(),
            "clairvoyant(1,9) for arrivals 0*2,7");
}

TEST(ClairvoyantSchedules, RefuseWhatMeansNothing) {
  for (const char* text :
       {"clairvoyant(0)", "clairvoyant(x)", "clairvoyant(4,)", "clairvoyant(4,0)",
        "clairvoyant(4,9,late)", "clairvoyant(4,9,)", "clairvoyant(4,9) for arrivals ",
        "clairvoyant(4,9) for arrivals 1,", "clairvoyant(4,9) for arrivals -1",
        "clairvoyant(4,9) for arrivals 1*0", "clairvoyant(4,9) for arrivals 1*999999999999",
        "clairvoyant(4,9) for arrivals 1;2", "clairvoyant(4,9) for arrivals 99999999999999999999"})
    EXPECT_THROW((void)parse_choice(Operation::reduce, text), std::invalid_argument) << text;
  const Problem problem{.operation = Operation::reduce, .ranks = 2};
  for (const char* text :
       {"clairvoyant(4) for arrivals 0,5", "binomial for arrivals 0,5",
        "clairvoyant(4,9) for arrivals 0*3", "clairvoyant(4,9) for arrivals 0,5 in order 1,0"})
    EXPECT_THROW((void)parse_choice(Operation::reduce, text).maker(problem), std::invalid_argument)
        << text;
}

}  // namespace
}  // namespace cartwright::plan
