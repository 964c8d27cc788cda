// SPDX-License-Identifier: Apache-2.0
// Formulas that nobody means: refused before they are read, and random ones, which must neither
// crash nor hang.
#include <gtest/gtest.h>

#include <array>
#include <cartwright/grid/run/formula.hpp>
#include <string>
#include <string_view>

#include "../../random_text.hpp"

namespace cartwright::grid {
namespace {

std::string repeated(std::string_view piece, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += piece;
  return text;
}

void expect_limit(const std::string& text, const std::string& words) {
  const std::string fault = Formula::fault(text, {});
  EXPECT_NE(fault.find(words), std::string::npos) << fault;
  EXPECT_LT(fault.size(), 200U) << "the formula isn't repeated";
}

TEST(FormulaLimits, LengthDepthAndOperators) {
  EXPECT_EQ(Formula::fault(repeated("(", 50) + "x" + repeated(")", 50), {}), "");
  expect_limit(repeated("(", 51) + "x" + repeated(")", 51), "51 parentheses and choices");
  expect_limit(repeated("sin(", 700) + "x" + repeated(")", 700), "inside each other, more than 50");
  EXPECT_EQ(Formula::fault(repeated("x<1 ? 1 : ", 50) + "2", {}), "");
  expect_limit(repeated("x<1 ? 1 : ", 51) + "2", "51 parentheses and choices");
  EXPECT_EQ(Formula::fault("x" + repeated("+x", 500), {}), "");
  expect_limit("x" + repeated("+x", 501), "501 operators, more than 500");
  expect_limit(repeated("-", 3000) + "x", "3000 operators");
  expect_limit(repeated(" ", 4000) + "x", "4001 characters, more than 4000");
}

using cartwright::test::Dice;

std::string random_formula(Dice& dice) {
  constexpr std::array<std::string_view, 56> pieces{
      "x",     "y",    "z",    "t",     "pi",   "a",       "_pi",   "_e",     "e",     "1",
      "0",     "2.5",  "1e9",  "1e999", "0x1F", ".5",      "1.",    "(",      "(",     ")",
      ")",     ",",    "+",    "-",     "*",    "/",       "^",     "^-",     "<",     "<=",
      "==",    "!=",   "&&",   "||",    "?",    ":",       "=",     "+=",     "sin(",  "exp(",
      "sqrt(", "min(", "max(", "sum(",  "avg(", "abs(",    "rint(", "atan2(", "sign(", " ",
      "\t",    "\"",   "'",    ";",     "#",    "\xc3\xa9"};
  std::string text;
  for (std::size_t count = 1 + dice.below(25); count > 0; --count) {
    if (dice.below(40) == 0)
      text += dice.byte(1);
    else
      text += dice.one_of(pieces);
  }
  return text;
}

/// One that can be read: an expression of a given depth.
std::string sound_formula(Dice& dice, int depth) {
  constexpr std::array<std::string_view, 6> leaves{"x", "y", "t", "a", "2", "0.5"};
  if (depth == 0) return std::string(dice.one_of(leaves));
  const auto part = [&] { return sound_formula(dice, depth - 1); };
  switch (dice.below(6)) {
    case 0:
      return part() + "+" + part();
    case 1:
      return "(" + part() + ")*" + part();
    case 2:
      return "sin(" + part() + ")";
    case 3:
      return "max(" + part() + "," + part() + ")";
    case 4:
      return "(" + part() + "<" + part() + "?" + part() + ":" + part() + ")";
    default:
      return "-" + part() + "^2";
  }
}

TEST(FormulaLimits, TenThousandRandomFormulasAreReadOrRefused) {
  Dice dice(20261122);
  int good = 0;
  for (int i = 0; i < 10000; ++i) {
    const std::string text =
        i % 4 == 0 ? sound_formula(dice, static_cast<int>(dice.below(5))) : random_formula(dice);
    const std::string fault = Formula::fault(text, {{"a", 1.5}});
    if (!fault.empty()) continue;
    ++good;
    const Formula formula(text, {{"a", 1.5}});
    const double once = formula({0.25, 0.5, 2.0}, 3.0);
    const double again = formula({0.25, 0.5, 2.0}, 3.0);
    EXPECT_TRUE(once == again || (once != once && again != again)) << text;
  }
  EXPECT_GT(good, 2000);
}

}  // namespace
}  // namespace cartwright::grid
