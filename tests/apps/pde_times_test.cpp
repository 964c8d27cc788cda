// SPDX-License-Identifier: Apache-2.0
// The table of times says where a run's time went: nearly all of it by name.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>

#include "pde_program.hpp"
#include "time_table.hpp"

namespace pde_test {
namespace {

using Row = std::map<std::string, double>;

class Times : public testing::Test {
 protected:
  /// The rows of a run, by name: mean seconds.
  Row rows(const std::string& deck, const std::string& more, int ranks) {
    const std::string directory = scratch_.path() + "/out";
    const Result result = run(
        ranks, scratch_.write("deck.yaml", deck) + " output.directory=" + directory + " " + more);
    EXPECT_EQ(result.code, 0) << result.text;
    EXPECT_NE(result.text.find("\n  other "), std::string::npos) << result.text;
    text_ = result.text;
    return time_table(directory);
  }
  void expect_names(const std::function<double()>& attempt) {
    EXPECT_LE(least_unnamed_part(5, attempt), 0.05) << text_;
  }

 private:
  Scratch scratch_;
  std::string text_;  // of the last run
};

TEST_F(Times, Heat) {
  const std::string deck =
      "solver: heat\nheat: {diffusivity: 1.0}\ngrid: {extent: [256, 256]}\n"
      "initial: {temperature: gaussian}\n";
  for (const int ranks : {1, 2})
    expect_names([&] {
      const Row row = rows(deck, "time.steps=400", ranks);
      for (const char* name : {"start-up", "grid and mapping", "memory of fields", "initial data",
                               "kernel interior", "boundary", "between steps", "stop control",
                               "check for NaN", "output", "diagnostics", "final report"})
        EXPECT_TRUE(row.contains(name)) << name;
      EXPECT_FALSE(row.contains("pictures")) << "which were not asked for";
      EXPECT_EQ(row.contains("halo wait"), ranks > 1);
      return unnamed_part(row);
    });
}

TEST_F(Times, HeatWithOutputAndARestart) {
  const std::string deck =
      "solver: heat\nheat: {diffusivity: 1.0}\ngrid: {extent: [128, 96]}\n"
      "initial: {temperature: gaussian}\ncheckpoint: {every: 50}\n"
      "output: {every: 50, pictures: {every: 50}}\n";
  expect_names([&] {
    const double before = unnamed_part(rows(deck, "time.steps=200", 2));
    const Row restarted = rows(deck, "time.steps=400 --restart", 2);
    EXPECT_TRUE(restarted.contains("restart"));
    return std::max(before, unnamed_part(restarted));
  });
}

TEST_F(Times, Wave) {
  const std::string deck =
      "solver: wave\nwave: {speed: 1.0}\ngrid: {extent: [64, 64, 64]}\n"
      "initial: {displacement: \"sin(2*pi*(x+y+z))\"}\n"
      "exact: {displacement: \"sin(2*pi*(x+y+z))\"}\n";
  for (const int ranks : {1, 2})
    expect_names([&] { return unnamed_part(rows(deck, "time.steps=60 output.every=30", ranks)); });
}

}  // namespace
}  // namespace pde_test
