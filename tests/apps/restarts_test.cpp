// SPDX-License-Identifier: Apache-2.0
// A restart from any step, on any number of ranks, gives the same bits as an undisturbed run: of
// each solver that the program offers.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "pde_program.hpp"
#include "short_runs.hpp"

namespace pde_test {
namespace {

namespace fs = std::filesystem;

/// The step in the name of a file of output, or of a checkpoint.
long long step_of(const fs::path& file) {
  const std::string name = file.stem().string();
  return std::stoll(name.substr(name.rfind('_') + 1));
}

std::vector<fs::path> files_after(const fs::path& folder, long long step) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (step_of(entry.path()) > step) files.push_back(entry.path());
  return files;
}

long long last_step(const fs::path& directory) {
  long long last = 0;
  for (const fs::path& file : files_after(directory / "checkpoints", 0))
    last = std::max(last, step_of(file));
  return last;
}

/// What a run leaves behind that is killed between `step` and the next one; its tables are longer
/// than they should be.
void copy_up_to(const fs::path& whole, const fs::path& copy, long long step) {
  fs::remove_all(copy);
  fs::copy(whole, copy, fs::copy_options::recursive);
  for (const char* folder : {"checkpoints", "fields"})
    for (const fs::path& file : files_after(copy / folder, step)) fs::remove(file);
}

class Restarts : public testing::TestWithParam<ShortRun> {
 protected:
  void solve(const fs::path& directory, int ranks, const std::string& more = {}) {
    const std::string deck = scratch_.write("deck.yaml", GetParam().deck);
    const Result result = run(ranks, "--quiet " + deck + " " + GetParam().settings +
                                         " output.directory=" + directory.string() + " " + more);
    ASSERT_EQ(result.code, 0) << result.text;
  }
  void restart_from_each_step(int ranks, const std::vector<int>& others) {
    const fs::path whole = path("whole"), restarted = path("restarted");
    ASSERT_NO_FATAL_FAILURE(solve(whole, ranks));
    const long long last = last_step(whole);
    ASSERT_GE(last, 6);
    for (long long step = 1; step < last; ++step) {
      const int other = others[static_cast<std::size_t>(step) % others.size()];
      SCOPED_TRACE("of " + std::to_string(ranks) + " ranks, from step " + std::to_string(step) +
                   " on " + std::to_string(other));
      copy_up_to(whole, restarted, step);
      ASSERT_NO_FATAL_FAILURE(solve(restarted, other, "--restart"));
      const Result same =
          shell(variable("COMPARE") + " " + whole.string() + " " + restarted.string());
      EXPECT_EQ(same.code, 0) << same.text;
    }
    fs::remove_all(whole);
  }

 private:
  [[nodiscard]] fs::path path(const char* name) const { return fs::path(scratch_.path()) / name; }
  Scratch scratch_;
};

TEST_P(Restarts, FromEachStepOfOneRankOnMore) {
  restart_from_each_step(1, {2, 3});
}

TEST_P(Restarts, FromEachStepOfThreeRanksOnFewer) {
  restart_from_each_step(3, {1, 2});
}

INSTANTIATE_TEST_SUITE_P(Of, Restarts, testing::ValuesIn(short_runs()),
                         [](const auto& given) { return given.param.name; });

TEST(ShortRuns, AreOfEachSolver) {
  const std::vector<ShortRun> runs = short_runs();
  std::istringstream listed(run_alone("--list-solvers").text);
  int solvers = 0;
  for (std::string solver; std::getline(listed, solver); ++solvers)
    EXPECT_TRUE(
        std::ranges::any_of(runs, [&](const ShortRun& run) { return run.solver == solver; }))
        << "nothing restarts " << solver;
  EXPECT_GT(solvers, 0);
}

}  // namespace
}  // namespace pde_test
