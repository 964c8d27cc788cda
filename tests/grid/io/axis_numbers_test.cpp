// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <set>

#include "axis_numbers.hpp"

namespace cartwright::grid::test {
namespace {

std::vector<std::string> numbers_of(const AxisNumbers& axis) {
  std::vector<std::string> numbers;
  for (const auto& tick : axis.ticks)
    if (!tick.number.empty()) numbers.push_back(tick.number);
  return numbers;
}

TEST(AxisNumbers, AreRoundAndSayTheirUnit) {
  const AxisNumbers plain = axis_numbers({300, 400}, 5);
  EXPECT_EQ(numbers_of(plain),
            (std::vector<std::string>{"300", "320", "340", "360", "380", "400"}));
  EXPECT_EQ(plain.label("temperature", "K"), "temperature  [K]");
  EXPECT_EQ(plain.label("x", ""), "x");
  const AxisNumbers tiny = axis_numbers({0, 3e-6}, 6);
  EXPECT_EQ(numbers_of(tiny).back(), "3.0");
  EXPECT_EQ(tiny.label("x", "m"), "x  [10⁻⁶ m]");
  EXPECT_EQ(axis_numbers({0, 2e12}, 6).label("n", ""), "n  [10¹²]");
  const AxisNumbers close = axis_numbers({1e5 - 0.1, 1e5 + 0.1}, 4);
  EXPECT_EQ(close.label("p", "Pa"), "p − 99990  [Pa]");
  EXPECT_EQ(numbers_of(close).front(), "9.90");
  EXPECT_EQ(axis_numbers({-1e5 - 0.1, -1e5 + 0.1}, 4).label("p", ""), "p + 100010");
}

/// Whatever the range, two numbers or more can be told apart, and what they say is true.
TEST(AxisNumbers, CanBeToldApart) {
  for (const double middle : {0.0, 1.0, -1.0, 300.0, 1e5, -123456789.0, 1e-9, 1e30, -1e-300, 1e300})
    for (const double part : {1e-10, 1e-7, 1e-3, 0.3, 1.0, 2.5, 1000.0})
      for (const double most : {2.0, 5.0, 11.0}) {
        const double half = part * (middle == 0 ? 1 : std::abs(middle));
        const ValueRange range{middle - half, middle + half};
        const AxisNumbers axis = axis_numbers(range, most);
        const auto numbers = numbers_of(axis);
        const std::set<std::string> different(numbers.begin(), numbers.end());
        EXPECT_GE(numbers.size(), 2U) << middle << ' ' << half;
        EXPECT_LE(static_cast<double>(numbers.size()), most + 3) << middle << ' ' << half;
        EXPECT_EQ(different.size(), numbers.size()) << middle << ' ' << half;
        for (const auto& tick : axis.ticks) {
          EXPECT_GE(tick.value, range.lower - 1e-6 * half);
          EXPECT_LE(tick.value, range.upper + 1e-6 * half);
          EXPECT_LE(tick.number.size(), 8U) << tick.number;
          if (tick.number.empty()) continue;
          const double told =
              axis.offset + std::strtod(tick.number.c_str(), nullptr) * std::pow(10, axis.exponent);
          EXPECT_NEAR(told, tick.value, 1e-5 * half + 1e-12 * std::abs(middle));
        }
      }
  EXPECT_GE(numbers_of(axis_numbers({-1e306, 1e306}, 5)).size(), 2U);
}

}  // namespace
}  // namespace cartwright::grid::test
