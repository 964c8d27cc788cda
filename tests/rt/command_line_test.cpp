// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <cartwright/rt/command_line.hpp>
#include <cartwright/rt/error.hpp>

#include <string>
#include <vector>

namespace cartwright::rt {
namespace {

CommandLine parse(std::vector<const char*> words) {
  words.insert(words.begin(), "program");
  return parse_command_line(static_cast<int>(words.size()), words.data(),
                            [](const std::string& name) -> std::vector<std::string> {
                              if (name != "steps") return {};
                              return {"time.steps"};
                            });
}

std::string fault(const std::vector<const char*>& words) {
  try {
    parse(words);
  } catch (const Error& error) {
    return std::string(error.what()) + " | " + error.advice();
  }
  return {};
}

TEST(CommandLine, DeckAndOverrides) {
  const auto line = parse({"heat.yaml", "time.steps=3", "grid.extent=[1, 2]", "-v"});
  EXPECT_EQ(line.mode, Mode::run);
  EXPECT_EQ(line.deck_path, "heat.yaml");
  EXPECT_EQ(line.overrides, (std::vector<std::string>{"time.steps=3", "grid.extent=[1, 2]"}));
  EXPECT_TRUE(line.verbose);
  EXPECT_EQ(parse({"./a=b.yaml"}).deck_path, "./a=b.yaml");
  EXPECT_EQ(parse({"-q", "--", "--check"}).deck_path, "--check");
}

TEST(CommandLine, Modes) {
  EXPECT_EQ(parse({"--help"}).mode, Mode::help);
  EXPECT_EQ(parse({"--help", "--check", "-n", "3"}).mode, Mode::help);
  EXPECT_EQ(parse({"--version"}).mode, Mode::version);
  EXPECT_EQ(parse({"--check", "a.yaml"}).mode, Mode::check);
  EXPECT_EQ(parse({"a.yaml", "--print-config"}).mode, Mode::print_config);
  EXPECT_EQ(parse({"--json-schema"}).mode, Mode::json_schema);
  EXPECT_EQ(parse({"--deck-reference"}).mode, Mode::deck_reference);
  EXPECT_EQ(parse({"--list-solvers"}).mode, Mode::list_solvers);
  for (const auto& words :
       std::vector<std::vector<const char*>>{{"a.yaml", "--dry-run", "-n", "64"},
                                             {"a.yaml", "-n64", "--dry-run"},
                                             {"a.yaml", "--ranks=64", "--dry-run"}}) {
    EXPECT_EQ(parse(words).mode, Mode::dry_run);
    EXPECT_EQ(parse(words).planned_ranks, 64);
  }
}

TEST(CommandLine, Predictions) {
  const auto line = parse({"a.yaml", "--dry-run", "--machine", "frontier", "--profile=p.json"});
  EXPECT_EQ(line.machine, "frontier");
  EXPECT_EQ(line.profile, "p.json");
  EXPECT_EQ(fault({"a.yaml", "--machine", "frontier"}),
            "command line: --machine goes with --dry-run only | For example: --dry-run -n 4096 "
            "--machine frontier");
  for (const char* option : {"--machine", "--profile"}) {
    EXPECT_NE(fault({"a.yaml", "--dry-run", option}).find("needs a value"), std::string::npos);
    EXPECT_NE(fault({"a.yaml", option, "--dry-run"}).find("needs a value"), std::string::npos);
  }
  EXPECT_NE(fault({"a.yaml", "--profile=p.json"}), "");
  EXPECT_NE(fault({"a.yaml", "--dry-run", "--machine="}), "");
}

TEST(CommandLine, Restart) {
  EXPECT_EQ(parse({"a.yaml"}).restart, std::nullopt);
  EXPECT_EQ(parse({"a.yaml", "--restart"}).restart, "");
  EXPECT_EQ(parse({"a.yaml", "--restart", "x=1"}).restart, "");
  EXPECT_EQ(parse({"a.yaml", "--restart", "out/heat", "x=1"}).restart, "out/heat");
  EXPECT_EQ(parse({"--restart=out/heat", "a.yaml"}).restart, "out/heat");
  EXPECT_EQ(parse({"--restart", "out/heat", "a.yaml"}).restart, "out/heat");
  const auto line = parse({"--restart", "a.yaml"});
  EXPECT_EQ(line.restart, "");
  EXPECT_EQ(line.deck_path, "a.yaml");
}

TEST(CommandLine, Faults) {
  EXPECT_EQ(fault({}), "command line: no deck is given | Name a YAML file; `--help` shows how.");
  EXPECT_EQ(fault({"--chekc", "a.yaml"}),
            "command line: unknown option '--chekc', did you mean '--check'? | `--help` lists the "
            "options.");
  EXPECT_EQ(fault({"a.yaml", "--time.steps=3"}),
            "command line: unknown option '--time.steps=3' | "
            "A key of the deck is set without dashes: time.steps=3");
  EXPECT_EQ(
      fault({"a.yaml", "-n", "4"}),
      "command line: -n goes with --dry-run only | To run on 4 ranks: mpirun -n 4 PROGRAM DECK");
  EXPECT_EQ(fault({"a.yaml", "--dry-run", "-n", "0"}),
            "command line: -n needs the number of ranks, 1 or more, but '0' is given | "
            "For example: --dry-run -n 64");
  EXPECT_EQ(fault({"a.yaml", "--dry-run", "-n"}),
            "command line: -n needs the number of ranks, 1 or more, but nothing follows it | "
            "For example: --dry-run -n 64");
  EXPECT_NE(fault({"a.yaml", "b.yaml"}), "");
  const std::string meant =
      "command line: there is no option '--steps' | "
      "A key of the deck is set without dashes: time.steps=";
  EXPECT_EQ(fault({"a.yaml", "--steps", "10"}), meant + "10");
  EXPECT_EQ(fault({"--steps=10", "a.yaml"}), meant + "10");
  EXPECT_EQ(fault({"--steps", "a.yaml"}), meant + "VALUE");
  const std::string apart =
      "command line: '64]' belongs to 'grid.extent=[64,', but stands apart from it | Put the whole "
      "of it into quotes: 'grid.extent=[64, 64]'";
  EXPECT_EQ(fault({"a.yaml", "grid.extent=[64,", "64]"}), apart);
  EXPECT_EQ(fault({"grid.extent=[64,", "64]", "a.yaml"}), apart);
  EXPECT_NE(fault({"a.yaml", "grid.extent=[6,", "4,", "5]"}).find("'grid.extent=[6, 4, …'"),
            std::string::npos);
  EXPECT_NE(fault({"a.yaml", "--restart="}).find("names no directory"), std::string::npos);
  EXPECT_NE(fault({"--check", "--dry-run", "a.yaml"}), "");
  EXPECT_NE(fault({"-q", "-v", "a.yaml"}), "");
  EXPECT_NE(fault({"--check=1", "a.yaml"}), "");
  EXPECT_NE(fault({"-", "a.yaml"}), "");
  EXPECT_NE(fault({"", "a.yaml"}), "");
  EXPECT_NE(fault({"---"}), "");
}

}  // namespace
}  // namespace cartwright::rt
