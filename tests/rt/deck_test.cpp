// SPDX-License-Identifier: Apache-2.0
// What a deck sets, where values come from, and how faults against the schema are reported.
#include <gtest/gtest.h>

#include "deck_fixture.hpp"

namespace cartwright::rt::test {
namespace {

TEST(Deck, AssignsEveryKindOfValue) {
  Reader reader;
  EXPECT_EQ(reader.read(R"(title: Heat in a plate   # a comment
trace: out.json
backend: shared
checks: true
seed: 12345678901
limit: 2
wall_time: 1h30m
constants: {a: 1, b: -2.5e-3}
colour: blue
grid:
  extent: [101, 67, 13]
  periodic: [true, false, true]
  origin: [-1, .5]
time: {steps: 0, step: 1e-3}
boundary:
  left: {value: 1}
  right: {value: 2, type: neumann}
)"),
            "");
  const Sample& sample = reader.sample;
  EXPECT_EQ(sample.title, "Heat in a plate");
  EXPECT_EQ(sample.trace, "out.json");
  EXPECT_EQ(sample.backend, "shared");
  EXPECT_TRUE(sample.checks);
  EXPECT_EQ(sample.seed, 12345678901LL);
  EXPECT_EQ(sample.limit, 2.0);
  EXPECT_EQ(sample.wall_time.count(), 5400.0);
  EXPECT_EQ(sample.constants, (std::map<std::string, double>{{"a", 1.0}, {"b", -0.0025}}));
  EXPECT_EQ(sample.colour, Colour::blue);
  EXPECT_EQ(sample.grid.extent, (std::vector<int>{101, 67, 13}));
  EXPECT_EQ(sample.grid.periodic, (std::vector<bool>{true, false, true}));
  EXPECT_EQ(sample.grid.origin, (std::array<double, 2>{-1.0, 0.5}));
  EXPECT_EQ(sample.time.steps, 0);
  EXPECT_EQ(sample.time.step, 1e-3);
  ASSERT_EQ(sample.boundary.size(), 2U);
  EXPECT_EQ(sample.boundary.at("left").type, "dirichlet");
  EXPECT_EQ(sample.boundary.at("right").value, 2.0);
}

TEST(Deck, UnknownKeys) {
  EXPECT_EQ(Reader().read("grid:\n  extent: [4]\n  perodic: [true]\n"),
            "heat.yaml:3:3: unknown key 'perodic' in 'grid', did you mean 'periodic'?");
  EXPECT_EQ(message_of("gird: {}\n"), "heat.yaml:2:1: unknown key 'gird', did you mean 'grid'?");
  EXPECT_EQ(message_of("steps: 3\n"),
            "heat.yaml:2:1: unknown key 'steps': 'steps' belongs in 'time'");
  EXPECT_EQ(message_of("time: {trace: x}\n"),
            "heat.yaml:2:8: unknown key 'trace' in 'time': "
            "'trace' belongs to the top level, not into a section");
  EXPECT_EQ(message_of("time: {zzzzzzzz: 1}\n"),
            "heat.yaml:2:8: unknown key 'zzzzzzzz' in 'time'; 'time' knows: steps, step");
  EXPECT_EQ(message_of("time.steps: 4\n"),
            "heat.yaml:2:1: unknown key 'time.steps': write 'steps:' inside of the section 'time:' "
            "(dots work on the command line only)");
  EXPECT_EQ(message_of("boundary: {left: {vlaue: 1}}\n"),
            "heat.yaml:2:19: unknown key 'vlaue' in 'boundary.left', did you mean 'value'?");
}

TEST(Deck, RepeatedKeys) {
  EXPECT_EQ(message_of("time:\n  steps: 1\n  steps: 2\n"),
            "heat.yaml:4:3: 'steps' is given twice, first in line 3: remove one");
  EXPECT_EQ(message_of("grid: {extent: [9]}\n"),
            "heat.yaml:2:1: 'grid' is given twice, first in line 1: remove one");
}

TEST(Deck, MissingKeys) {
  EXPECT_EQ(Reader().read("title: x\n"),
            "heat.yaml: 'grid.extent' is missing: number of cells along each axis, "
            "for example extent: [64, 64]");
}

TEST(Deck, ValuesOutOfRange) {
  EXPECT_EQ(message_of("time: {steps: -3}\n"),
            "heat.yaml:2:15: 'time.steps' is -3, but must be at least 0");
  EXPECT_EQ(message_of("time: {step: 0}\n"),
            "heat.yaml:2:14: 'time.step' is 0, but must be greater than 0");
  EXPECT_EQ(message_of("time: {step: 11}\n"),
            "heat.yaml:2:14: 'time.step' is 11, but must be at most 10");
  EXPECT_EQ(message_of("time: {steps: 3000000000}\n"),
            "heat.yaml:2:15: 'time.steps' is 3000000000, but must be at most 2147483647");
  EXPECT_EQ(message_of("wall_time: 0s\n"),
            "heat.yaml:2:12: 'wall_time' is '0s', but must be greater than 0s");
  EXPECT_EQ(Reader().read("grid: {extent: [8, 0]}\n"),
            "heat.yaml:1:20: element 2 of 'grid.extent' is 0, but must be at least 1");
}

TEST(Deck, ValuesOfAnotherType) {
  EXPECT_EQ(message_of("time: {steps: fast}\n"),
            "heat.yaml:2:15: 'time.steps' is 'fast', but must be an integer");
  EXPECT_EQ(message_of("time: {steps: [1]}\n"),
            "heat.yaml:2:15: 'time.steps' is the list [1], but must be an integer");
  EXPECT_EQ(message_of("time: {steps: {a: 1}}\n"),
            "heat.yaml:2:15: 'time.steps' is a section, but must be an integer");
  EXPECT_EQ(message_of("time:\n  steps:\n  step: 1\n"),
            "heat.yaml:3:3: 'time.steps' is empty, but must be an integer");
  EXPECT_EQ(
      Reader().read("grid: {extent: 64}\n"),
      "heat.yaml:1:16: 'grid.extent' is 64, but must be a list of 1 to 3 integers: write [64]");
  EXPECT_EQ(Reader().read("grid: {extent: [1, 2, 3, 4]}\n"),
            "heat.yaml:1:16: 'grid.extent' is the list [1, 2, 3, 4], "
            "but must be a list of 1 to 3 integers");
  EXPECT_EQ(message_of("time: 5\n"),
            "heat.yaml:2:7: 'time' is 5, but must be a section with keys of its own (steps, step)");
  EXPECT_EQ(message_of("backend: natve\n"),
            "heat.yaml:2:10: 'backend' is 'natve', but must be one of native, p2p, shared, "
            "did you mean 'native'?");
  EXPECT_EQ(message_of("constants: {a: x}\n"),
            "heat.yaml:2:16: 'constants.a' is 'x', but must be a number");
  EXPECT_EQ(message_of("constants: [1]\n"),
            "heat.yaml:2:12: 'constants' is the list [1], but must be 'name: value' pairs, "
            "each value a number");
}

TEST(Deck, ReportsAllFaultsAtOnceByPlace) {
  const std::string message =
      Reader().read("time: {steps: -1}\nfoo_bar_baz: 1\nchecks: on\n", {"seed=x"});
  EXPECT_EQ(
      message,
      "5 faults in the configuration of heat.yaml:\n"
      "  heat.yaml:1:15: 'time.steps' is -1, but must be at least 0\n"
      "  heat.yaml:2:1: unknown key 'foo_bar_baz'; the top level knows: title, trace, backend, "
      "checks, seed, limit, wall_time, constants, colour, grid, time, boundary\n"
      "  heat.yaml:3:9: 'checks' is 'on', but must be true or false: write true\n"
      "  heat.yaml: 'grid.extent' is missing: number of cells along each axis, "
      "for example extent: [64, 64]\n"
      "  command line: 'seed' is 'x', but must be an integer");
}

TEST(Deck, OverridesWinOverEnvironmentOverDeckOverDefault) {
  Reader reader;
  const Environment environment{{"CARTWRIGHT_TIME_STEPS", "30"}, {"CARTWRIGHT_SEED", "4"}};
  ASSERT_EQ(reader.read("grid: {extent: [8]}\ntime: {steps: 10, step: 0.5}\nseed: 2\n",
                        {"time.steps=40", "grid.extent=16,16", "backend=p2p"}, environment),
            "");
  EXPECT_EQ(reader.sample.time.steps, 40);
  EXPECT_EQ(reader.sample.seed, 4);
  EXPECT_EQ(reader.sample.time.step, 0.5);
  EXPECT_EQ(reader.sample.grid.extent, (std::vector<int>{16, 16}));
  EXPECT_EQ(reader.deck.origin("time.steps").source(), "command line");
  EXPECT_EQ(reader.deck.origin("seed").source(), "environment CARTWRIGHT_SEED");
  EXPECT_EQ(reader.deck.origin("time.step").place(), "heat.yaml:2:25");
  EXPECT_EQ(reader.deck.origin("checks").source(), "default");
}

TEST(Deck, SectionsOfTheCommandLineAreMergedWithThoseOfTheDeck) {
  Reader reader;
  EXPECT_EQ(reader.read("grid: {extent: [8]}\ntime: {steps: 10, step: 0.5}\n",
                        {"time={steps: 20}", "grid={origin: [1, 2]}"}),
            "");
  EXPECT_EQ(reader.sample.time.steps, 20);
  EXPECT_EQ(reader.sample.time.step, 0.5);
  EXPECT_EQ(reader.sample.grid.extent, std::vector<int>{8});
  EXPECT_EQ(reader.sample.grid.origin[1], 2.0);
}

TEST(Deck, TruthValuesOfTheEnvironmentAreThoseOfAShell) {
  for (const char* yes : {"true", "1", "on", "YES"}) {
    Reader reader;
    EXPECT_EQ(reader.read("grid: {extent: [8]}\n", {}, {{"CARTWRIGHT_CHECKS", yes}}), "");
    EXPECT_TRUE(reader.sample.checks) << yes;
  }
  for (const char* no : {"false", "0", "off", "No"}) {
    Reader reader;
    EXPECT_EQ(reader.read("grid: {extent: [8]}\nchecks: true\n", {}, {{"CARTWRIGHT_CHECKS", no}}),
              "");
    EXPECT_FALSE(reader.sample.checks) << no;
  }
  EXPECT_EQ(message_of("", {}, {{"CARTWRIGHT_CHECKS", "2"}}),
            "environment CARTWRIGHT_CHECKS: 'checks' is 2, but must be true or false");
}

TEST(Deck, FaultsOfOverridesAndEnvironment) {
  EXPECT_EQ(message_of("", {"time.stesp=3"}),
            "command line: unknown key 'stesp' in 'time', did you mean 'steps'?");
  EXPECT_EQ(message_of("", {"=3"}), "command line: '=3' isn't of the form section.key=value");
  EXPECT_EQ(message_of("", {"a..b=3"}),
            "command line: 'a..b=3' isn't of the form section.key=value");
  EXPECT_EQ(message_of("", {"grid.extent=[1,"}),
            "command line: the value in 'grid.extent=[1,' can't be read: "
            "this '[' is never closed, or a comma is missing after it");
  EXPECT_EQ(message_of("", {"grid.extent.x=1"}),
            "command line: 'grid.extent.x' can't be set: it would lie in the list [8, 8] "
            "(heat.yaml:1:16)");
  EXPECT_EQ(message_of("", {}, {{"CARTWRIGHT_TIME_STEPS", "many"}}),
            "environment CARTWRIGHT_TIME_STEPS: 'time.steps' is 'many', but must be an integer");
  EXPECT_EQ(message_of("", {}, {{"CARTWRIGHT_TIME_STEP5", "1"}}),
            "environment CARTWRIGHT_TIME_STEP5: sets no key, did you mean CARTWRIGHT_TIME_STEPS "
            "(for 'time.steps')?");
  EXPECT_EQ(
      message_of("", {}, {{"CARTWRIGHT_GRID_BREADTH", "1"}}),
      "environment CARTWRIGHT_GRID_BREADTH: sets no key; 'grid' knows: extent, periodic, origin");
  EXPECT_EQ(message_of("", {}, {{"CARTWRIGHT_HOME", "/opt"}, {"CARTWRIGHT_GRID", "ON"}}), "");
}

TEST(Deck, NullTakesAnOptionalValueAway) {
  Reader reader;
  EXPECT_EQ(reader.read("grid: {extent: [8]}\ntrace: out.json\n", {"trace=null"}), "");
  EXPECT_FALSE(reader.sample.trace.has_value());
  EXPECT_EQ(reader.read("grid: {extent: [8]}\nlimit: 3\n", {"limit=~"}), "");
  EXPECT_FALSE(reader.sample.limit.has_value());
}

TEST(Deck, PeeksBeforeTheSchemaIsKnown) {
  const Deck deck = Deck::parse("solver: heat\ngrid: {extent: [1]}\n", "heat.yaml", {},
                                {{"CARTWRIGHT_TITLE", "x"}});
  EXPECT_EQ(deck.peek("solver"), "heat");
  EXPECT_EQ(deck.peek("title"), "x");
  EXPECT_EQ(deck.peek("grid"), std::nullopt);
  EXPECT_TRUE(deck.contains("grid.extent"));
  EXPECT_FALSE(deck.contains("time"));
  EXPECT_EQ(Deck::parse("solver: heat\n", "a", {"solver=wave"}).peek("solver"), "wave");
}

TEST(Deck, ErrorsOfOthersNameThePlace) {
  Reader reader;
  ASSERT_EQ(reader.read("grid:\n  extent: [1]\n"), "");
  const Error error = reader.deck.error("grid.extent", "'grid.extent' is smaller than the halo");
  EXPECT_STREQ(error.what(), "heat.yaml:2:11: 'grid.extent' is smaller than the halo");
  EXPECT_EQ(error.code(), ExitCode::input_error);
}

TEST(Deck, EffectiveConfigurationCanBeReadAgain) {
  Reader reader;
  ASSERT_EQ(reader.read("title: \"yes\"\ngrid:\n  extent: [8, 9]\nboundary: {left: {value: 2}}\n",
                        {"time.steps=7"}, {{"CARTWRIGHT_SEED", "5"}}),
            "");
  const std::string shown = reader.deck.effective_configuration(reader.root);
  EXPECT_NE(shown.find("\n  extent: [8, 9]      # heat.yaml:3\n"), std::string::npos) << shown;
  EXPECT_NE(shown.find("  steps: 7            # command line\n"), std::string::npos) << shown;
  EXPECT_NE(shown.find("seed: 5               # environment CARTWRIGHT_SEED\n"), std::string::npos);
  EXPECT_NE(shown.find("title: \"yes\"          # heat.yaml:1\n"), std::string::npos) << shown;
  EXPECT_NE(shown.find("# trace: not set\n"), std::string::npos) << shown;

  Reader again;
  ASSERT_EQ(again.read(shown), "") << shown;
  EXPECT_EQ(again.sample.title, "yes");
  EXPECT_EQ(again.sample.time.steps, 7);
  EXPECT_EQ(again.sample.seed, 5);
  EXPECT_EQ(again.sample.grid.extent, reader.sample.grid.extent);
  EXPECT_EQ(again.sample.wall_time, reader.sample.wall_time);
  EXPECT_EQ(again.sample.boundary.at("left").value, 2.0);
  EXPECT_EQ(again.sample.constants, reader.sample.constants);
}

TEST(Schema, RefusesTheSameKeyTwice) {
  SectionNode root;
  GridPart one, two;
  const Schema<GridPart> schema{key("origin", &GridPart::origin)};
  schema.bind(root.add_section("grid"), one);
  EXPECT_THROW(schema.bind(root.add_section("grid"), two), Error);
}

TEST(Schema, EnumsMayNameTheirValues) {
  struct Thing {
    Colour colour = Colour::red;
  } thing;
  SectionNode root;
  Schema<Thing>{
      key("colour", &Thing::colour).choices<Colour>({{"sky", Colour::blue}, {"fire", Colour::red}})}
      .bind(root, thing);
  EXPECT_EQ(root.keys.front().value.default_text, "fire");
  Deck::parse("colour: sky", "a").apply(root);
  EXPECT_EQ(thing.colour, Colour::blue);
}

}  // namespace
}  // namespace cartwright::rt::test
