// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cartwright/grid/run/formula.hpp>
#include <cartwright/rt/error.hpp>
#include <cmath>
#include <numbers>

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
