// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cartwright/grid/app/time_plan.hpp>
#include <cartwright/rt/deck.hpp>

namespace cartwright::grid {
namespace {

const rt::Deck deck;
const StabilityLimit limit{0.1, "a scheme"};

TimeOptions options(std::optional<long long> steps, std::optional<double> step,
                    std::optional<double> end) {
  TimeOptions result;
  result.steps = steps;
  result.step = step;
  result.end = end;
  return result;
}

std::string message(const TimeOptions& given, const std::optional<StabilityLimit>& known) {
  try {
    (void)plan_time(deck, given, known);
  } catch (const rt::Error& error) {
    EXPECT_EQ(error.code(), rt::ExitCode::input_error);
    return error.what();
  }
  return {};
}

TEST(TimePlan, TakesTheDecksStepOrASafeOne) {
  EXPECT_EQ(plan_time(deck, options(7, 0.05, {}), limit).time_step, 0.05);
  EXPECT_EQ(plan_time(deck, options(7, 0.05, {}), limit).last_step, 7);
  EXPECT_DOUBLE_EQ(plan_time(deck, options(7, {}, {}), limit).time_step, 0.09);
}

TEST(TimePlan, MeetsTheEndExactlyWithAStepThatIsNotLarger) {
  const TimePlan plan = plan_time(deck, options({}, 0.03, 1.0), limit);
  EXPECT_EQ(plan.last_step, 34);
  EXPECT_EQ(plan.time_step, 1.0 / 34);
  // A step that divides the end stays what it is.
  EXPECT_EQ(plan_time(deck, options({}, 0.1, 1.0), limit).last_step, 10);
  EXPECT_EQ(plan_time(deck, options({}, 0.1, 1e-9), limit).last_step, 1);
}

TEST(TimePlan, WhateverComesFirstEnds) {
  EXPECT_EQ(plan_time(deck, options(5, 0.1, 1.0), limit).last_step, 5);
  EXPECT_EQ(plan_time(deck, options(50, 0.1, 1.0), limit).last_step, 10);
}

TEST(TimePlan, StepsAndEndGiveTheStepWhereNoLimitIsKnown) {
  EXPECT_EQ(plan_time(deck, options(4, {}, 1.0), std::nullopt).time_step, 0.25);
}

TEST(TimePlan, RefusesAnUnstableStepAndNamesTheLargest) {
  const std::string text = message(options(5, 0.2, {}), limit);
  EXPECT_NE(text.find("0.2"), std::string::npos) << text;
  EXPECT_NE(text.find("the largest stable one for a scheme is 0.1"), std::string::npos) << text;
  EXPECT_EQ(message(options(5, 0.1, {}), limit), "") << "the limit itself is allowed";
}

TEST(TimePlan, RefusesWhatNothingDeterminesAndWhatNeverEnds) {
  EXPECT_NE(message(options(5, {}, {}), std::nullopt).find("'time.step' is missing"),
            std::string::npos);
  EXPECT_NE(message(options({}, 1e-300, 1.0), limit).find("time.end"), std::string::npos);
}

TEST(TimePlan, ARestartKeepsTheStepOfTheCheckpoint) {
  const TimePlan first = plan_time(deck, options({}, {}, 1.0), limit);
  const TimePlan longer = resume_time(deck, options({}, {}, 2.0), limit, first.time_step);
  EXPECT_EQ(longer.time_step, first.time_step);
  EXPECT_EQ(longer.last_step, 2 * first.last_step);
  const TimePlan same = resume_time(deck, options({}, {}, 1.0), limit, first.time_step);
  EXPECT_EQ(same.last_step, first.last_step);
  EXPECT_THROW((void)resume_time(deck, options(5, 0.01, {}), limit, first.time_step), rt::Error);
}

}  // namespace
}  // namespace cartwright::grid
