// SPDX-License-Identifier: Apache-2.0
// Loops that all ranks leave before their end: what they leave on disk.
#include "../io/scratch.hpp"
#include "leaving_solver.hpp"
#include "solver_run.hpp"

namespace cartwright::grid::test {
namespace {

namespace fs = std::filesystem;

class Leaving : public testing::Test {
 protected:
  void solve(const std::string& how, bool restart = false) {
    run_solver(leaving_solver(),
               "leaving: {how: " + how + "}\ngrid: {extent: [12]}\ntime: {steps: 9, step: 0.5}\n" +
                   "checkpoint: {every: 3}\n",
               directory_, restart);
  }
  /// The steps of which there is a file `name`.
  [[nodiscard]] std::string steps_of(const std::string& name) const {
    std::string steps;
    for (const auto& [file, text] : files_of(directory_))
      if (const auto place = file.find(name); place != std::string::npos && file.ends_with(".h5"))
        steps +=
            (steps.empty() ? "" : " ") + std::to_string(std::stoi(file.substr(file.size() - 13)));
    return steps;
  }
  void expect_state(int step) const {
    const std::string digits = "000000000" + std::to_string(step);
    const auto u = dataset(directory_ / "fields" / ("leaving_" + digits + ".h5"), "u");
    EXPECT_EQ(u, std::vector<double>(12, step));
  }

  const Team comm_ = world();
  Scratch scratch_{comm_};
  fs::path directory_ = scratch_.path() / "out";
};

TEST_F(Leaving, NotAtAll) {
  solve("not");
  EXPECT_EQ(steps_of("leaving_"), "0 9");
  expect_state(9);
}

TEST_F(Leaving, ByBreakReturnOrStop) {
  for (const char* how : {"break", "return", "stop"}) {
    solve(how);
    EXPECT_EQ(steps_of("leaving_"), "0 4") << how;
    expect_state(4);
    EXPECT_EQ(steps_of("step_"), "3 4") << how;
    const Files before = files_of(directory_);
    solve(how, true);  // nothing is left to do
    EXPECT_EQ(files_of(directory_), before) << how;
  }
}

TEST_F(Leaving, ByAnErrorThatAllHaveMet) {
  EXPECT_THROW(solve("shared error"), rt::Error);
  EXPECT_EQ(steps_of("leaving_"), "0 4");
  expect_state(4);
  EXPECT_EQ(steps_of("step_"), "3");
  solve("not", true);
  EXPECT_EQ(steps_of("leaving_"), "0 9");
}

TEST_F(Leaving, ByAnErrorThatOthersMayNotKnow) {
  EXPECT_THROW(solve("error"), rt::Error);
  EXPECT_THROW(solve("plain"), std::runtime_error);
  EXPECT_EQ(steps_of("leaving_"), "0");
}

TEST_F(Leaving, WithValuesThatAreNotFinite) {
  EXPECT_THROW(solve("not finite"), rt::Error);
  EXPECT_EQ(steps_of("leaving_"), "0");
}

}  // namespace
}  // namespace cartwright::grid::test
