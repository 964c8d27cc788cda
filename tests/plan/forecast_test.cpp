// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cartwright/plan/arrivals/forecast.hpp>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <random>
#include <vector>

namespace cartwright::plan {
namespace {

using Numbers = std::vector<std::int64_t>;

TEST(Forecast, OfNothingIsNothing) {
  EXPECT_EQ(forecast({}).value, 0);
  for (int number = 0; number < predictors; ++number)
    EXPECT_EQ(predict(static_cast<Predictor>(number), {}), 0);
  EXPECT_EQ(last_change({}), 0U);
}

TEST(Forecast, OfWhatNeverChangesIsThat) {
  for (const std::size_t length : {1U, 2U, 3U, 7U, 32U}) {
    const Numbers series(length, 5000);
    EXPECT_EQ(forecast(series).value, 5000);
    EXPECT_EQ(forecast(series).deviation, length > 1 ? 0 : 2500);
    for (int number = 0; number < predictors; ++number)
      EXPECT_EQ(predict(static_cast<Predictor>(number), series), 5000);
  }
}

TEST(Forecast, MovingAverageIsOfFive) {
  EXPECT_EQ(predict(Predictor::moving_average, Numbers{1000, 10, 20, 30, 40, 50}), 30);
  EXPECT_EQ(predict(Predictor::moving_average, Numbers{10, 20}), 15);
}

TEST(Forecast, WhatAlternatesIsAutoregressive) {
  Numbers series;
  for (int i = 0; i < 24; ++i) series.push_back(i % 2 == 0 ? 1000 : 9000);
  const Forecast next = forecast(series);
  EXPECT_TRUE(next.by == Predictor::autoregressive_1 || next.by == Predictor::autoregressive_2);
  EXPECT_LT(next.value, 2500);  // 1000 comes next; a mean would say 5000
}

TEST(Forecast, NoiseIsSmoothedAndItsDeviationKnown) {
  std::mt19937_64 dice(1);
  std::normal_distribution<double> noise(100000, 5000);
  double smoothed = 0, deviations = 0;
  constexpr int rounds = 200;
  for (int round = 0; round < rounds; ++round) {
    Numbers series(32);
    for (auto& number : series) number = std::llround(noise(dice));
    const Forecast next = forecast(series);
    smoothed += std::abs(static_cast<double>(next.value - 100000)) / rounds;
    deviations += static_cast<double>(next.deviation) / rounds;
  }
  EXPECT_LT(smoothed, 2500);  // the last value would be off by 4000
  EXPECT_GT(deviations, 3500);
  EXPECT_LT(deviations, 7000);
}

TEST(Forecast, ForgetsWhatWasBeforeAChange) {
  Numbers series(20, 100);
  for (int i = 0; i < 20; ++i) series[static_cast<std::size_t>(i)] += i % 3;
  for (int i = 0; i < 3; ++i) series.push_back(10000 + i % 2);
  EXPECT_EQ(last_change(series), 20U);
  EXPECT_NEAR(static_cast<double>(forecast(series).value), 10000, 10);
}

TEST(Forecast, ASingleNumberThatIsFarOffIsNoChange) {
  for (const std::size_t place : {3U, 10U, 30U, 31U}) {
    Numbers series(32);
    for (std::size_t i = 0; i < series.size(); ++i)
      series[i] = 1000 + static_cast<std::int64_t>(i * 7 % 5);
    series[place] = 1000000;
    EXPECT_EQ(last_change(series), 0U) << place;
  }
}

TEST(Forecast, StaysWithinWhatWasSeen) {
  std::mt19937_64 dice(2);
  for (int round = 0; round < 300; ++round) {
    Numbers series(1 + dice() % 40);
    for (auto& number : series) number = static_cast<std::int64_t>(dice() % 1000000);
    const Forecast next = forecast(series);
    EXPECT_GE(next.value, *std::min_element(series.begin(), series.end()));
    EXPECT_LE(next.value, *std::max_element(series.begin(), series.end()));
    EXPECT_GE(next.deviation, 0);
    EXPECT_LT(last_change(series), series.size());
  }
}

TEST(Forecast, HugeNumbersDoNoHarm) {
  constexpr std::int64_t huge = std::numeric_limits<std::int64_t>::max() / 4;
  const Numbers series{0, huge, 0, -huge, 5, huge, huge, 7};
  const Forecast next = forecast(series);
  EXPECT_GE(next.deviation, 0);
}

}  // namespace
}  // namespace cartwright::plan
