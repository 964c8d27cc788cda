// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cartwright/grid/run/formula.hpp>
#include <cartwright/rt/error.hpp>
#include <cmath>
#include <numbers>
#include <thread>
#include <vector>

namespace cartwright::grid {
namespace {

double value(const std::string& text, const FormulaConstants& constants = {}) {
  return Formula(text, constants)({0.25, 0.5, 2.0}, 3.0);
}

TEST(Formula, EvaluatesPositionTimeAndConstants) {
  EXPECT_EQ(value("x + 10*y + 100*z + 1000*t"), 0.25 + 5.0 + 200.0 + 3000.0);
  EXPECT_EQ(value("sin(pi*x)"), std::sin(std::numbers::pi * 0.25));
  EXPECT_EQ(value("lx*a", {{"lx", 4.0}, {"a", 0.5}}), 2.0);
  EXPECT_EQ(value("-x^2"), -0.0625);
  EXPECT_EQ(value("x < 0.5 && y >= 0.5 ? 7 : 8"), 7.0);
  EXPECT_EQ(value("1e-3"), 1e-3);
}

TEST(Formula, VariablesWinOverConstantsOfTheSameName) {
  EXPECT_EQ(value("x", {{"x", 9.0}}), 0.25);
}

TEST(Formula, KnowsWhatItDependsOn) {
  EXPECT_TRUE(Formula("exp(-t)", {}).depends_on_time());
  EXPECT_FALSE(Formula("exp(-x)", {}).depends_on_time());
  EXPECT_TRUE(Formula("2*pi*a", {{"a", 1.0}}).is_constant());
  EXPECT_FALSE(Formula("y", {}).is_constant());
  EXPECT_FALSE(Formula("t", {}).is_constant());
  EXPECT_TRUE(Formula("2 + 0*z", {}).depends_on_position());
  EXPECT_FALSE(Formula("a*t", {{"a", 1.0}}).depends_on_position());
}

// More than have a parser of their own.
TEST(Formula, ManyThreadsAskAtOnce) {
  const Formula formula("a*x + sin(y) - t^2", {{"a", 3.0}});
  const auto asked = [&](int first) {
    double greatest = 0.0;
    for (int i = first; i < first + 200; ++i) {
      const double x = 0.25 * i, y = 0.5 * i, t = 0.125 * i;
      greatest =
          std::max(greatest, std::abs(formula({x, y, 0.0}, t) - (3.0 * x + std::sin(y) - t * t)));
    }
    return greatest;
  };
  constexpr int threads_at_once = 8;
  for (int round = 0; round < 40; ++round) {
    std::array<double, threads_at_once> greatest{};
    {
      std::vector<std::jthread> threads;
      for (int k = 0; k < threads_at_once; ++k)
        threads.emplace_back([&, k] { greatest[static_cast<std::size_t>(k)] = asked(1000 * k); });
    }
    for (const double each : greatest) EXPECT_LE(each, 1e-9);
  }
}

TEST(Formula, CopiesAreIndependentOfTheOriginalsLife) {
  Formula copy("x", {});
  {
    const Formula other("2*x", {});
    copy = other;
  }
  EXPECT_EQ(copy({3.0, 0.0, 0.0}, 0.0), 6.0);
}

TEST(Formula, FaultsNameThePlace) {
  EXPECT_EQ(Formula::fault("sin(pi*x)", {}), "");
  const std::string unknown = Formula::fault("x + speeed", {{"speed", 1.0}});
  EXPECT_NE(unknown.find("unknown name 'speeed' at character 5"), std::string::npos) << unknown;
  EXPECT_NE(unknown.find("speed"), std::string::npos) << unknown;
  const std::string assignment = Formula::fault("x = 3", {});
  EXPECT_NE(assignment.find("'=' at character 3"), std::string::npos) << assignment;
}

TEST(Formula, FaultsShowTheFormulaOnce) {
  for (const std::string text : {"foo", "@x + y", "sin(x) @ cos(y)", "x + (y @ 1)", "$"}) {
    const std::string fault = Formula::fault(text, {});
    const auto first = fault.find(text);
    EXPECT_TRUE(first == std::string::npos || fault.find(text, first + 1) == std::string::npos)
        << fault;
  }
  EXPECT_EQ(Formula::fault("x @ y", {}), "'@' does not fit at character 3 of the formula 'x @ y'");
  const std::string far =
      Formula::fault(std::string(2000, ' ') + "x + 1 1" + std::string(1000, ' '), {});
  EXPECT_LT(far.size(), 200U) << far;
}

TEST(Formula, RefusesWhatIsNoFormula) {
  for (const char* text : {"", " ", "sin(", "sin(x", "x +", "x y", "x,y", "2x3", ")", "\"text\"",
                           "x += 1", "foo(x)", "sin(x,", "1..2", "x;y", "?", "x ? 1"})
    EXPECT_NE(Formula::fault(text, {}), "") << text;
  EXPECT_NE(Formula::fault(std::string(100000, '('), {}), "");
  EXPECT_NE(Formula::fault(std::string(3000, '('), {}), "");
}

TEST(Formula, ThrowsAnInputError) {
  try {
    const Formula formula("1 +", {});
    FAIL();
  } catch (const rt::Error& error) {
    EXPECT_EQ(error.code(), rt::ExitCode::input_error);
  }
}

}  // namespace
}  // namespace cartwright::grid
