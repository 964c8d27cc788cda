// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cartwright/grid/app/time_plan.hpp>
#include <cartwright/rt/deck.hpp>
#include <cmath>
#include <limits>

namespace cartwright::grid {
namespace {

const rt::Deck no_deck;
const StabilityLimit limit{0.1, "a scheme"};

TimeOptions time_options(std::optional<long long> steps, std::optional<double> step,
                         std::optional<double> end) {
  TimeOptions result;
  result.steps = steps;
  result.step = step;
  result.end = end;
  return result;
}

std::string message(const TimeOptions& given, const std::optional<StabilityLimit>& known) {
  try {
    (void)plan_time(no_deck, given, known);
  } catch (const rt::Error& error) {
    EXPECT_EQ(error.code(), rt::ExitCode::input_error);
    return error.what();
  }
  return {};
}

CheckpointState at(double time_step) {
  CheckpointState state;
  state.time_step = time_step;
  return state;
}

TEST(TimePlan, TakesTheDecksStepOrASafeOne) {
  EXPECT_EQ(plan_time(no_deck, time_options(7, 0.05, {}), limit).time_step, 0.05);
  EXPECT_EQ(plan_time(no_deck, time_options(7, 0.05, {}), limit).last_step, 7);
  EXPECT_DOUBLE_EQ(plan_time(no_deck, time_options(7, {}, {}), limit).time_step, 0.09);
}

TEST(TimePlan, MeetsTheEndExactlyWithAStepThatIsNotLarger) {
  const TimePlan plan = plan_time(no_deck, time_options({}, 0.03, 1.0), limit);
  EXPECT_EQ(plan.last_step, 34);
  EXPECT_EQ(plan.time_step, 1.0 / 34);
  // A step that divides the end stays what it is.
  EXPECT_EQ(plan_time(no_deck, time_options({}, 0.1, 1.0), limit).last_step, 10);
  EXPECT_EQ(plan_time(no_deck, time_options({}, 0.1, 1e-9), limit).last_step, 1);
}

TEST(TimePlan, WhateverComesFirstEnds) {
  EXPECT_EQ(plan_time(no_deck, time_options(5, 0.1, 1.0), limit).last_step, 5);
  EXPECT_EQ(plan_time(no_deck, time_options(50, 0.1, 1.0), limit).last_step, 10);
}

TEST(TimePlan, StepsAndEndGiveTheStepWhereNoLimitIsKnown) {
  EXPECT_EQ(plan_time(no_deck, time_options(4, {}, 1.0), std::nullopt).time_step, 0.25);
}

TEST(TimePlan, RefusesAnUnstableStepAndNamesTheLargest) {
  const std::string text = message(time_options(5, 0.2, {}), limit);
  EXPECT_NE(text.find("0.2"), std::string::npos) << text;
  EXPECT_NE(text.find("the largest stable one for a scheme is 0.1"), std::string::npos) << text;
  EXPECT_EQ(message(time_options(5, 0.1, {}), limit), "") << "the limit itself is allowed";
}

TEST(TimePlan, RefusesWhatNothingDeterminesAndWhatNeverEnds) {
  EXPECT_NE(message(time_options(5, {}, {}), std::nullopt).find("'time.step' is missing"),
            std::string::npos);
  EXPECT_NE(message(time_options({}, 0.1, {}), limit).find("neither how many 'steps'"),
            std::string::npos);
  EXPECT_NE(message(time_options({}, 1e-300, 1.0), limit).find("time.end"), std::string::npos);
}

TEST(TimePlan, ARestartKeepsTheStepOfTheCheckpoint) {
  const TimePlan first = plan_time(no_deck, time_options({}, {}, 1.0), limit);
  const TimePlan longer =
      resume_time(no_deck, time_options({}, {}, 2.0), limit, at(first.time_step));
  EXPECT_EQ(longer.time_step, first.time_step);
  EXPECT_EQ(longer.last_step, 2 * first.last_step);
  const TimePlan same = resume_time(no_deck, time_options({}, {}, 1.0), limit, at(first.time_step));
  EXPECT_EQ(same.last_step, first.last_step);
  EXPECT_THROW((void)resume_time(no_deck, time_options(5, 0.01, {}), limit, at(first.time_step)),
               rt::Error);
}

TEST(TimePlan, AChangedStepCountsFromTheCheckpoint) {
  CheckpointState state = at(0.1);
  state.step = 30;
  state.time = 3.0;
  const TimePlan plan = resume_time(no_deck, time_options({}, 0.05, 4.0), limit, state, true);
  EXPECT_EQ(plan.time_step, 0.05);
  EXPECT_EQ(plan.last_step, 50);
  EXPECT_EQ(plan.time_of(30), 3.0);
  EXPECT_EQ(plan.time_of(50), 4.0);
  EXPECT_EQ(resume_time(no_deck, time_options({}, 0.05, 2.0), limit, state, true).last_step, 30);
}

TEST(TimePlan, AWarningIsEnoughWhereTheDeckSaysSo) {
  TimeOptions given = time_options(5, 0.2, {});
  EXPECT_THROW((void)plan_time(no_deck, given, limit), rt::Error);
  given.stability = "warn";
  const TimePlan plan = plan_time(no_deck, given, limit);
  EXPECT_EQ(plan.time_step, 0.2);
  EXPECT_TRUE(is_beyond(plan, limit));
  EXPECT_FALSE(is_beyond(plan_time(no_deck, time_options(5, 0.1, {}), limit), limit));
}

TEST(AdaptiveStep, MeetsItsTargetWithoutSplinters) {
  for (const double length : {1.0, 0.999, 0.7, 0.3334, 0.1, 0.011, 2.0}) {
    double time = 0.25, shortest = 1.0;
    int steps = 0;
    while (time < 1.25) {
      const AdaptiveStep step = adaptive_step(time, length, 1.25);
      EXPECT_LE(step.time_step, length);
      EXPECT_GT(step.end, time);
      shortest = std::min(shortest, step.time_step);
      time = step.end;
      ++steps;
    }
    EXPECT_EQ(time, 1.25);
    EXPECT_LE(steps, std::ceil(1.0 / length) + 1);
    EXPECT_GE(shortest, 0.499 * std::min(1.0, length)) << length;
  }
}

TEST(AdaptiveStep, TargetsAreMultiplesAndTheEnd) {
  constexpr double never = std::numeric_limits<double>::infinity();
  EXPECT_EQ(next_target(0.0, {}, {}), never);
  EXPECT_EQ(next_target(0.0, 0.5, {}), 0.5);
  EXPECT_EQ(next_target(0.5, 0.5, {}), never);
  EXPECT_EQ(next_target(0.0, 0.5, {0.3, 0.2}), 0.2);
  EXPECT_EQ(next_target(0.2, 0.5, {0.3, 0.2}), 0.3);
  double time = 0.0;
  for (int number = 1; number <= 10000; ++number) {  // none is met twice or left out
    const double next = next_target(time, {}, {0.1});
    EXPECT_EQ(next, 0.1 * number);
    EXPECT_TRUE(reaches_multiple(time, next, 0.1));
    EXPECT_FALSE(reaches_multiple(time, time + 0.5 * (next - time), 0.1));
    time = next;
  }
}

}  // namespace
}  // namespace cartwright::grid
