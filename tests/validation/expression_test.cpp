// SPDX-License-Identifier: Apache-2.0
// The language of validation/*.yaml.
#include <gtest/gtest.h>

#include <cartwright/rt/error.hpp>
#include <validation/computations.hpp>
#include <validation/expression.hpp>

namespace {

using namespace cartwright::validation;

class Expression : public testing::Test {
 protected:
  double number(const char* text) { return evaluate(text, scope_, computations_).number(); }
  std::string filled(const char* text) { return fill(text, scope_, computations_); }

  Computations computations_;
  Scope scope_{{"P", {32.0}}, {"time", {std::string("17.31 us")}}};
};

TEST_F(Expression, BindsAsOnPaper) {
  EXPECT_DOUBLE_EQ(number("1 + 2 * 3 - 4 / 2"), 5.0);
  EXPECT_DOUBLE_EQ(number("-2 ^ 2 + (1 - 3) * 2"), -8.0);
  EXPECT_DOUBLE_EQ(number("10 - 3 - 2"), 5.0);
  EXPECT_DOUBLE_EQ(number("1.5e-3 * 2"), 3e-3);
}

TEST_F(Expression, Compares) {
  EXPECT_EQ(number("P <= 32"), 1.0);
  EXPECT_EQ(number("P < 32"), 0.0);
  EXPECT_EQ(number("P - 1 > 30"), 1.0);
  EXPECT_EQ(number("'a' == 'b'"), 0.0);
}

TEST_F(Expression, CountsPrintedTextsAsNumbers) {
  EXPECT_DOUBLE_EQ(number("time * 2"), 34.62);
  EXPECT_DOUBLE_EQ(number("half_digit(time)"), 0.005);
  EXPECT_DOUBLE_EQ(number("sum([1, time])"), 18.31);
}

TEST_F(Expression, FillsTexts) {
  EXPECT_EQ(filled("P = {P}, {P / 3:.2f}; {{x}} {choose(P > 1, 'many {P}', 'one')}"),
            "P = 32, 10.67; {x} many 32");
}

TEST_F(Expression, RefusesWhatItDoesNotKnow) {
  for (const char* text : {"", "1 +", "nobody", "nothing(1)", "(1", "[1", "'a", "1 2", "sum()"})
    EXPECT_THROW(number(text), cartwright::rt::Error) << text;
  for (const char* text : {"{1", "{}", "{nobody}"})
    EXPECT_THROW(filled(text), cartwright::rt::Error) << text;
  for (const char* text :
       {"time('no schedule', 2, 1, 'oscar')", "time('ring', 2, 1, 'no machine')"})
    EXPECT_THROW(number(text), cartwright::rt::Error) << text;
}

}  // namespace
