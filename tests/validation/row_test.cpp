// SPDX-License-Identifier: Apache-2.0
// When a number counts as reproduced.
#include <gtest/gtest.h>

#include <validation/row.hpp>

namespace {

namespace validation = cartwright::validation;
using validation::Verdict;

TEST(Printed, DigitsSayHowExactANumberIs) {
  EXPECT_DOUBLE_EQ(validation::Printed{"0.88"}.half_digit(), 0.005);
  EXPECT_DOUBLE_EQ(validation::Printed{"-1.7"}.half_digit(), 0.05);
  EXPECT_DOUBLE_EQ(validation::Printed{"73"}.half_digit(), 0.5);
  EXPECT_DOUBLE_EQ(validation::Printed{"-1.7"}.value(), -1.7);
}

TEST(Row, PrintedDigitsAreTheTolerance) {
  EXPECT_EQ(validation::Row("", "99.5").number(99.53, 2).verdict(), Verdict::reproduced);
  EXPECT_EQ(validation::Row("", "99.5").number(99.56, 2).verdict(), Verdict::unexplained);
  EXPECT_EQ(validation::Row("", "2.4").number(2.45, 2).verdict(), Verdict::reproduced);
}

TEST(Row, ToleranceOfInputsIsAdded) {
  EXPECT_EQ(validation::Row("", "2.4").number(2.342, 3).and_inputs(0.04, "times").verdict(),
            Verdict::reproduced);
  EXPECT_EQ(validation::Row("", "200").number(221, 0).within_percent(10, "a model").verdict(),
            Verdict::unexplained);
}

TEST(Row, ReasonExplainsADeviation) {
  EXPECT_EQ(validation::Row("", "1.2").number(1.25, 2).because("cut off").remark(), "");
  const auto row = validation::Row("", "1.2").number(1.26, 2).because("cut off");
  EXPECT_EQ(row.verdict(), Verdict::explained);
  EXPECT_EQ(row.remark(), "cut off");
}

TEST(Row, WhatWasMeantMustBeOurs) {
  EXPECT_EQ(validation::Row("", "95.5").number(99.53, 2).meant("99.5", "a slip").verdict(),
            Verdict::explained);
  EXPECT_EQ(validation::Row("", "95.5").number(98.5, 2).meant("99.5", "a slip").verdict(),
            Verdict::unexplained);
}

TEST(Row, WordsMustBeTheSame) {
  EXPECT_EQ(validation::Row("", "a4,a4").text("a4,a4").verdict(), Verdict::reproduced);
  EXPECT_EQ(validation::Row("", "a4,a4").text("a8,a2").verdict(), Verdict::unexplained);
}

TEST(Row, ImpossibleSaysWhy) {
  const auto row = validation::Row("", "56").impossible("no sizes");
  EXPECT_EQ(row.verdict(), Verdict::impossible);
  EXPECT_EQ(row.remark(), "no sizes");
}

}  // namespace
