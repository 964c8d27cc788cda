// SPDX-License-Identifier: Apache-2.0
// The table of times has names for nearly all of a run: of each deck in inputs/ of the program PDE.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>

#include "pde_program.hpp"
#include "time_table.hpp"

namespace pde_test {
namespace {

namespace fs = std::filesystem;

/// The value of a key at the beginning of a line of a deck; empty where it isn't there.
std::string value_of(const std::string& deck, const std::string& key) {
  std::istringstream lines("\n" + deck);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(key + ":")) return line.substr(std::min(line.size(), key.size() + 2));
  return {};
}

/// One deck for each solver, the first by name, that doesn't want results of another run.
std::map<std::string, fs::path> decks_by_solver() {
  std::set<fs::path> files;
  for (const auto& entry : fs::directory_iterator(variable("DECKS"))) files.insert(entry.path());
  std::map<std::string, fs::path> decks;
  for (const fs::path& file : files) {
    const std::string deck = read_text(file.string());
    if (deck.find(" file: out/") == std::string::npos)
      decks.try_emplace(value_of(deck, "solver"), file);
  }
  return decks;
}

/// Few steps, where it goes in steps; with output among them.
std::string settings_of(const fs::path& deck) {
  const std::string text = read_text(deck.string());
  const bool steps = text.find("\ntime:") != std::string::npos;
  return steps ? " time.steps=40 output.every=20 output.pictures.every=20" : "";
}

double unnamed_part_of(int ranks, const fs::path& deck) {
  const Scratch scratch;
  const std::string directory = scratch.path() + "/out";
  const Result result =
      run(ranks, deck.string() + settings_of(deck) + " output.directory=" + directory,
          "OMP_NUM_THREADS=1");
  EXPECT_EQ(result.code, 0) << result.text;
  if (result.code != 0) return 1.0;
  return unnamed_part(time_table(directory));
}

TEST(AppTimes, HaveNamesForWhatEachSolverDoes) {
  const auto decks = decks_by_solver();
  std::istringstream solvers(run_alone("--list-solvers").text);
  for (std::string solver; std::getline(solvers, solver);) {
    ASSERT_TRUE(decks.contains(solver)) << "no deck in inputs/ for " << solver;
    const fs::path& deck = decks.at(solver);
    for (const int ranks : {1, 2}) {
      SCOPED_TRACE(deck.string() + " on " + std::to_string(ranks) + " ranks");
      EXPECT_LE(least_unnamed_part(10, [&] { return unnamed_part_of(ranks, deck); }), 0.05);
    }
  }
}

}  // namespace
}  // namespace pde_test
