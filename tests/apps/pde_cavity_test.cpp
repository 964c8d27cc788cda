// SPDX-License-Identifier: Apache-2.0
// The cavity whose lid moves, at Re = 1000, against both tables there are: a test of its own,
// because it takes a while until the flow is steady (`./cartwright test --long`).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "cavity_profiles.hpp"
#include "pde_program.hpp"

namespace pde_test {
namespace {

std::string last_file(const std::string& directory) {
  std::string newest;
  for (const auto& entry : std::filesystem::directory_iterator(directory + "/fields"))
    newest = std::max(newest, entry.path().string());
  return newest;
}

void expect_spectral_solution(const char* line, const CavityDifferences& found) {
  std::printf(
      "%s: largest difference from Botella and Peyret %.4f, from Ghia, Ghia and Shin %.4f; "
      "of these from each other %.4f\n",
      line, found.botella, found.ghia, found.of_tables);
  EXPECT_LT(found.botella, 0.01) << line;
  // Where the older table is further than that from the newer one, nobody can be near both.
  EXPECT_LT(found.ghia, std::max(0.01, found.of_tables)) << line;
}

void expect_spectral_solution_of(const std::string& deck) {
  const Scratch scratch;
  const std::string directory = scratch.path() + "/out";
  const Result result = run(2, std::string(PDE_DECKS) + "/" + deck +
                                   " --quiet checkpoint.every=0 output.interval=40 "
                                   "output.pictures.interval=40 output.directory=" +
                                   directory);
  ASSERT_EQ(result.code, 0) << result.text;
  const std::string file = last_file(directory);
  const auto u = read_dataset(file, "velocity_x"), v = read_dataset(file, "velocity_y");
  const auto edges = read_dataset(file, "edges/x");
  ASSERT_EQ(u.size(), (edges.size() - 1) * edges.size());
  expect_spectral_solution("vertical line", differences_from(cavity_x, vertical_profile(u, edges)));
  expect_spectral_solution("horizontal line",
                           differences_from(cavity_y, horizontal_profile(v, edges)));
}

TEST(Cavity, AtReynolds1000) {
  expect_spectral_solution_of("cavity_1000.yaml");
}

TEST(Cavity, WithAQuarterOfTheCellsWhereTheyAreNarrowAtWalls) {
  expect_spectral_solution_of("cavity_stretched.yaml");
}

}  // namespace
}  // namespace pde_test
