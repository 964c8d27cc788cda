// SPDX-License-Identifier: Apache-2.0
// YAML's own traps: scalars that mean something else than they look like, and broken syntax.
#include <gtest/gtest.h>

#include "deck_fixture.hpp"

namespace cartwright::rt::test {
namespace {

struct Trap {
  const char* text;     // below a good grid in line 1
  const char* message;  // without "heat.yaml:"
};

void PrintTo(const Trap& trap, std::ostream* out) {
  *out << trap.text;
}

class YamlTrap : public testing::TestWithParam<Trap> {};

TEST_P(YamlTrap, IsReported) {
  EXPECT_EQ(message_of(GetParam().text), std::string("heat.yaml:") + GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    Scalars, YamlTrap,
    testing::Values(
        Trap{"seed: 010",
             "2:7: 'seed' is '010', but must be an integer: "
             "write 10, or 0o10 if octal is meant"},
        Trap{"limit: 08", "2:8: 'limit' is '08', but must be a number: write 8"},
        Trap{"checks: on", "2:9: 'checks' is 'on', but must be true or false: write true"},
        Trap{"checks: No", "2:9: 'checks' is 'No', but must be true or false: write false"},
        Trap{"checks: 1", "2:9: 'checks' is 1, but must be true or false: write true"},
        Trap{"checks: 'true'",
             "2:9: 'checks' is the text \"true\", but must be true or false: remove the quotes"},
        Trap{"seed: '10'",
             "2:7: 'seed' is the text \"10\", but must be an integer: remove the quotes"},
        Trap{"seed: !!str 10",
             "2:7: 'seed' is the text \"10\", but must be an integer: remove the quotes"},
        Trap{"seed: 1.5", "2:7: 'seed' is 1.5, but must be an integer: it has a fraction"},
        Trap{"seed: 64.0", "2:7: 'seed' is 64.0, but must be an integer: write 64"},
        Trap{"seed: 1e-3", "2:7: 'seed' is 1e-3, but must be an integer: it has a fraction"},
        Trap{"seed: 1e30",
             "2:7: 'seed' is 1e30, but must be an integer: it doesn't fit into 64 bits"},
        Trap{"limit: .nan",
             "2:8: 'limit' is '.nan', but must be a number: only finite numbers are allowed"},
        Trap{"limit: -inf",
             "2:8: 'limit' is '-inf', but must be a number: only finite numbers are allowed"},
        Trap{"limit: 1,5", "2:8: 'limit' is '1,5', but must be a number: write 1.5"},
        Trap{"limit: 1d3", "2:8: 'limit' is '1d3', but must be a number: write 1e3"},
        Trap{"limit: 3 m",
             "2:8: 'limit' is '3 m', but must be a number: "
             "write the number alone, without a unit"},
        Trap{"limit: 1e999",
             "2:8: 'limit' is '1e999', but must be a number: "
             "it is outside of what a double can hold (about 1e-308 to 1.8e308)"},
        Trap{"title:", "2:1: 'title' is empty, but must be text"},
        Trap{"seed: !fast 3", "2:7: the tag '!fast' means nothing in a deck: remove it"},
        Trap{"title: \"a\\0b\"",
             "2:8: 'title' is the text \"a\\u0000b\", "
             "but must be text without NUL characters"}));

INSTANTIATE_TEST_SUITE_P(
    Syntax, YamlTrap,
    testing::Values(
        Trap{"time:\n\tsteps: 3\n", "3:1: a tab indents this line, but YAML wants spaces"},
        Trap{"time:\n  steps: 3\n\tstep: 3\n",
             "4:1: a tab indents this line, but YAML wants spaces"},
        Trap{"time:\n  steps:3\n  step: 1\n", "3:9: a space is missing after the colon"},
        Trap{"time:\n  steps: 3\n  step 1\n",
             "4:3: 'step 1' is no 'key: value' pair: is a colon missing?"},
        Trap{"constants: {a: 1\nseed: 3\n",
             "2:12: this '{' is never closed, or a comma is missing after it"},
        Trap{"constants: {a: [1, 2}\n",
             "2:16: this '[' is never closed, or a comma is missing after it"},
        Trap{"title: \"abc\nseed: 3\n", "2:8: the quote \" that begins here is never closed"},
        Trap{"title: 'abc\nseed: 3\n", "2:8: the quote ' that begins here is never closed"},
        Trap{"title: 'it's'\n",
             "2:12: text follows a closing quote; inside of '…' a quote is written ''"},
        Trap{"title: Heat: two\n",
             "2:12: a second ': ' stands in this line: put the text into quotes"},
        Trap{"seed: 1\n  step: 2\n",
             "3:7: this line is indented deeper than the one above, which has a value already"},
        Trap{"time:\n    steps: 1\n  step: 2\n",
             "4:3: the indentation of this line fits no line above it"},
        Trap{"title: @x\n", "2:8: this character can't begin a value: put the text into quotes"},
        Trap{"title: \"a\\q\"\n",
             "2:12: unknown escape after '\\': write '\\\\', or use single quotes"},
        Trap{"title: *x\n", "2:8: no anchor (&name) of that name stands above this alias"},
        Trap{"constants: {a: 1}}\n", "2:18: this closing bracket has no opening one"},
        Trap{"---\nseed: 1\n",
             "2:1: a second document ('---') begins here, but a deck is one document"},
        Trap{"? [a]\n: 1\n", "2:3: the list [a] stands where the name of a key should be"},
        Trap{": 1\n", "2:1: empty stands where the name of a key should be"}));

TEST(Yaml, IntegersMayHaveExactExponentsUnderscoresAndBases) {
  for (const auto& [text, value] : std::vector<std::pair<const char*, long long>>{
           {"1e3", 1000},
           {"1.5e3", 1500},
           {"1_000", 1000},
           {"0x1F", 31},
           {"0o17", 15},
           {"+7", 7},
           {"-0", 0},
           {"9223372036854775807", 9223372036854775807LL}}) {
    Reader reader;
    EXPECT_EQ(reader.read(std::string("grid: {extent: [1]}\nseed: ") + text), "") << text;
    EXPECT_EQ(reader.sample.seed, value) << text;
  }
}

TEST(Yaml, AnchorsAndMergeKeysWork) {
  Reader reader;
  EXPECT_EQ(reader.read("grid: {extent: [8]}\n"
                        "boundary:\n"
                        "  left: &side {value: 3, type: neumann}\n"
                        "  right: {<<: *side, value: 4}\n"
                        "  top: *side\n"),
            "");
  EXPECT_EQ(reader.sample.boundary.at("right").value, 4.0);
  EXPECT_EQ(reader.sample.boundary.at("right").type, "neumann");
  EXPECT_EQ(reader.sample.boundary.at("top").value, 3.0);
}

TEST(Yaml, AliasBombsAndDeepNestingEndAtOnce) {
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 12; ++i) {
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
    for (int k = 0; k < 9; ++k) bomb += "*a" + std::to_string(i - 1) + (k < 8 ? ", " : "]\n");
  }
  EXPECT_NE(Reader().read(bomb).find("more than 200000 values"), std::string::npos);
  EXPECT_EQ(message_of("seed: &a [*a]\n"), "heat.yaml:2:11: this alias (*name) contains itself");
  std::string nested = "a: &a " + std::string(40, '[') + std::string(40, ']') + "\nb: ";
  nested += std::string(40, '[') + "*a" + std::string(40, ']') + "\n";
  EXPECT_NE(Reader().read(nested).find("more than 64 levels"), std::string::npos);
  std::string many;
  for (int i = 0; i < 10001; ++i) many += "k" + std::to_string(i) + ": 1\n";
  EXPECT_NE(Reader().read(many).find("more than 10000 keys in one section"), std::string::npos);
  for (const char* open : {"[", "{", "{a: ", "- ", "? "}) {
    std::string deep;
    for (int i = 0; i < 10000; ++i) deep += open;
    EXPECT_NE(Reader().read(deep), "") << open;
  }
}

TEST(Yaml, CountsCharactersNotBytes) {
  EXPECT_EQ(Reader().read("{title: \"Wärme – ß\", grid: {extent: [x]}}"),
            "heat.yaml:1:38: element 1 of 'grid.extent' is 'x', but must be an integer");
}

TEST(Yaml, WindowsLinesAndByteOrderMarkAreFine) {
  Reader reader;
  EXPECT_EQ(reader.read("\xEF\xBB\xBFgrid:\r\n  extent: [8]\r\ntitle: x\r\n"), "");
  EXPECT_EQ(reader.sample.title, "x");
}

}  // namespace
}  // namespace cartwright::rt::test
