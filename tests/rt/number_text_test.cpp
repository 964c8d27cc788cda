// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <cartwright/rt/duration.hpp>
#include <cartwright/rt/number_text.hpp>
#include <cartwright/rt/suggestion.hpp>
#include <cartwright/rt/yaml_text.hpp>

#include <string>
#include <vector>

namespace cartwright::rt {
namespace {

TEST(Number, ReadsWhatPeopleWrite) {
  EXPECT_EQ(parse_number("1").value, 1.0);
  EXPECT_EQ(parse_number("-.5").value, -0.5);
  EXPECT_EQ(parse_number("5.").value, 5.0);
  EXPECT_EQ(parse_number("+1e-3").value, 1e-3);
  EXPECT_EQ(parse_number("1_000.5").value, 1000.5);
  EXPECT_EQ(parse_number("0.1").value, 0.1);
  EXPECT_EQ(parse_number("0").value, 0.0);
}

TEST(Number, RefusesTheRest) {
  for (const char* text : {"", "-", ".", "e3", "1e", "1e+", "--1", "0x10", "1__0", "_1", "1_",
                           "1 2", "nan", "inf", "1e400", "01", "1.2.3", "１"}) {
    EXPECT_FALSE(parse_number(text).value) << text;
    EXPECT_FALSE(parse_integer(text).value && std::string(text) != "0x10") << text;
  }
  EXPECT_FALSE(parse_integer("9223372036854775808").value);
  EXPECT_FALSE(parse_integer("0x").value);
  EXPECT_FALSE(parse_integer("0x-1").value);
  EXPECT_FALSE(parse_integer("1e-999999999999999999999").value);
  EXPECT_FALSE(parse_integer("1e999999999999999999999").value);
  EXPECT_EQ(parse_integer("0e999999999999999999999").value, 0);
}

TEST(Duration, ReadsUnitsAndClocks) {
  const auto seconds = [](const char* text) {
    const auto duration = parse_duration(text);
    return duration ? duration->count() : -1.0;
  };
  EXPECT_EQ(seconds("90"), 90.0);
  EXPECT_EQ(seconds("1h30m"), 5400.0);
  EXPECT_EQ(seconds("2 d 4 h"), 187200.0);
  EXPECT_EQ(seconds("250ms"), 0.25);
  EXPECT_EQ(seconds("1:30:00"), 5400.0);
  EXPECT_EQ(seconds("1.5 hours"), 5400.0);
  for (const char* wrong : {"", "h", "1x", "1h x", "1:2:3:4", ":", "1:", "later"}) {
    EXPECT_EQ(seconds(wrong), -1.0) << wrong;
  }
}

TEST(Duration, ShowsWhatCanBeReadAgain) {
  for (const double value : {0.0, 1e-9, 0.25, 1.5, 59.0, 3600.0, 5400.0, 93784.5, 1e15}) {
    const auto again = parse_duration(format_duration(Seconds(value)));
    ASSERT_TRUE(again) << format_duration(Seconds(value));
    EXPECT_DOUBLE_EQ(again->count(), value);
  }
  EXPECT_EQ(format_duration(Seconds(5400)), "1h30m");
  EXPECT_EQ(format_duration(Seconds(0.05)), "0.05s");
}

TEST(Suggestion, FindsTheNearestName) {
  const std::vector<std::string> names{"extent", "periodic", "origin"};
  EXPECT_EQ(closest("perodic", names), "periodic");
  EXPECT_EQ(closest("Extent", names), "extent");
  EXPECT_EQ(closest("extnet", names), "extent");
  EXPECT_EQ(closest("colour", names), std::nullopt);
  EXPECT_EQ(edit_distance("abcd", "abdc"), 1);
  EXPECT_EQ(edit_distance("wall-time", "wall_time"), 0);
  EXPECT_EQ(edit_distance("", "abc"), 3);
}

TEST(YamlText, QuotesOnlyWhereNeeded) {
  EXPECT_EQ(yaml_text("out/heat"), "out/heat");
  EXPECT_EQ(yaml_text("sin(x) + y"), "sin(x) + y");
  EXPECT_EQ(yaml_text("10"), "\"10\"");
  EXPECT_EQ(yaml_text("yes"), "\"yes\"");
  EXPECT_EQ(yaml_text(""), "\"\"");
  EXPECT_EQ(yaml_text("a: b"), "\"a: b\"");
  EXPECT_EQ(yaml_text("a\n\"b\""), R"("a\n\"b\"")");
}

}  // namespace
}  // namespace cartwright::rt
