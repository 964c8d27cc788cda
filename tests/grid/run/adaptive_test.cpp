// SPDX-License-Identifier: Apache-2.0
// Runs whose steps are found while they are made, and runs that iterate.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cartwright/rt/error.hpp>
#include <cmath>
#include <sstream>

#include "../io/scratch.hpp"
#include "adaptive_solver.hpp"
#include "solver_run.hpp"

namespace cartwright::grid::test {
namespace {

using Row = std::vector<double>;

/// The numbers of a CSV file, without its first line.
std::vector<Row> rows_of(const std::string& text) {
  std::istringstream stream(text);
  std::string line;
  std::getline(stream, line);
  std::vector<Row> rows;
  while (std::getline(stream, line)) {
    std::istringstream cells(line);
    rows.emplace_back();
    for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(std::stod(cell));
  }
  return rows;
}

Files run_in(const Scratch& scratch, const SolverEntry& solver, const std::string& deck,
             const std::string& name = "out") {
  run_solver(solver, deck, scratch.path() / name);
  MPI_Barrier(MPI_COMM_WORLD);
  return files_of(scratch.path() / name);
}

std::string fault(const SolverEntry& solver, const std::string& deck, rt::ExitCode code) {
  const Team comm = world();
  const Scratch scratch(comm);
  try {
    run_solver(solver, deck, scratch.path() / "out");
  } catch (const rt::Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    return error.what();
  }
  return "nothing was wrong";
}

const std::string waves =
    "grid: {extent: [32], periodic: [true]}\ninitial: {u: \"2 + sin(6.283185307179586*x)\"}\n";
const std::string jacobi_deck = "grid: {extent: [16]}\ninitial: {f: \"1\"}\n";

TEST(Adaptive, MeetsOutputTimesAndTheEndExactly) {
  const Team comm = world();
  const Scratch scratch(comm);
  const auto files = run_in(scratch, adaptive_burgers(),
                            waves + "time: {end: 0.1}\noutput: {interval: 0.03, every: 1}\n");
  const auto rows = rows_of(files.at("diagnostics.csv"));
  std::vector<double> times;
  for (const Row& row : rows) times.push_back(row[1]);
  for (const double due : {0.03, 2 * 0.03, 3 * 0.03, 0.1})
    EXPECT_EQ(std::count(times.begin(), times.end(), due), 1) << due;
  EXPECT_EQ(times.back(), 0.1);
  double shortest = 1.0, longest = 0.0;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    shortest = std::min(shortest, rows[i][2]);
    longest = std::max(longest, rows[i][2]);
    EXPECT_NEAR(rows[i][1], rows[i - 1][1] + rows[i][2], 1e-15);
  }
  EXPECT_LE(longest, 0.5 / 32 / 2.9);
  EXPECT_GT(shortest, 0.25 / 32 / 3.0) << "no splinters";
}

TEST(Adaptive, OutputIsOnlyWrittenWhereItIsDue) {
  const Team comm = world();
  const Scratch scratch(comm);
  const auto files =
      run_in(scratch, adaptive_burgers(), waves + "time: {end: 0.1}\noutput: {interval: 0.04}\n");
  EXPECT_EQ(rows_of(files.at("diagnostics.csv")).size(), 4U);  // 0, 0.04, 0.08, 0.1
}

/// `for (auto step : run.steps(u).stable_below(…))`: what a loop goes through outlives it.
TEST(Steps, MayBeSaidInTheLineOfTheLoop) {
  using Limited = decltype(std::declval<Steps>().stable_below(1.0, ""));
  static_assert(std::is_same_v<Limited, Steps>);
  static_assert(std::is_same_v<decltype(std::declval<Steps>().adaptive()), Steps>);
  static_assert(std::is_same_v<decltype(std::declval<Steps>().fused()), Steps>);
}

TEST(Table, HoldsWhatTheSolverNotesInEachStep) {
  const Team comm = world();
  const Scratch scratch(comm);
  const auto files = run_in(scratch, adaptive_burgers(), waves + "time: {steps: 7}\n");
  const std::string& text = files.at("speeds.csv");
  EXPECT_TRUE(text.starts_with("step,fastest\n1,2.9")) << text;
  EXPECT_EQ(rows_of(text).size(), 7U);
}

TEST(Adaptive, TheDecksStepIsTheLargest) {
  const Team comm = world();
  const Scratch scratch(comm);
  const auto files = run_in(scratch, adaptive_burgers(),
                            waves + "time: {steps: 5, step: 1.0e-4}\noutput: {every: 1}\n");
  const auto rows = rows_of(files.at("diagnostics.csv"));
  ASSERT_EQ(rows.size(), 6U);
  for (std::size_t i = 1; i < rows.size(); ++i) EXPECT_EQ(rows[i][2], 1.0e-4);
}

TEST(Adaptive, MistakesAreNamed) {
  const auto message = [](const std::string& how, rt::ExitCode code) {
    return fault(adaptive_burgers(), waves + "time: {steps: 200}\nburgers: {how: " + how + "}\n",
                 code);
  };
  using enum rt::ExitCode;
  EXPECT_NE(message("forgets", internal_failure).find("nothing said how long step 1 is"),
            std::string::npos);
  EXPECT_NE(message("twice", internal_failure).find("called twice"), std::string::npos);
  EXPECT_NE(message("asks", internal_failure).find("steps are adaptive"), std::string::npos);
  EXPECT_NE(message("zero", numerical_failure).find("may only be 0 s long"), std::string::npos);
  int size = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size == 1) return;
  EXPECT_NE(message("own", internal_failure).find("disagree about the time"), std::string::npos);
}

TEST(Iterations, EndOnceTheResidualIsSmall) {
  const Team comm = world();
  const Scratch scratch(comm);
  const auto files =
      run_in(scratch, jacobi(), jacobi_deck + "iteration: {tolerance: 1.0e-3, limit: 5000}\n");
  const auto rows = rows_of(files.at("convergence.csv"));
  ASSERT_GT(rows.size(), 100U);
  EXPECT_EQ(rows.front()[2], 1.0);
  EXPECT_LE(rows.back()[2], 1.0e-3);
  EXPECT_GT(rows[rows.size() - 2][2], 1.0e-3);
  EXPECT_EQ(files.count("convergence.png"), 1U);
  EXPECT_EQ(rows_of(files.at("diagnostics.csv")).back()[0], rows.back()[0]);
}

TEST(Iterations, ASolvedProblemNeedsNone) {
  const Team comm = world();
  const Scratch scratch(comm);
  const auto files = run_in(scratch, jacobi(), jacobi_deck + "jacobi: {how: solved}\n");
  EXPECT_TRUE(rows_of(files.at("convergence.csv")).empty());
}

TEST(Iterations, ASolverMayStopThem) {
  const Team comm = world();
  const Scratch scratch(comm);
  const auto files = run_in(scratch, jacobi(), jacobi_deck + "jacobi: {how: stops}\n");
  EXPECT_EQ(rows_of(files.at("convergence.csv")).size(), 7U);
}

TEST(Iterations, SayWhyTheyFail) {
  using enum rt::ExitCode;
  const auto message = [](const std::string& how, const std::string& keys, rt::ExitCode code) {
    return fault(jacobi(), jacobi_deck + "jacobi: {how: " + how + "}\n" + keys, code);
  };
  EXPECT_NE(message("diverges", "", numerical_failure).find("the residual has grown to"),
            std::string::npos);
  EXPECT_NE(message("stagnates", "iteration: {stagnation: 20}", numerical_failure)
                .find("has not fallen by 1 % in 20 iterations"),
            std::string::npos);
  EXPECT_NE(message("nan", "", numerical_failure).find("the residual of iteration 1 is nan"),
            std::string::npos);
  EXPECT_NE(message("well", "iteration: {limit: 3}", numerical_failure).find("after 3 iterations"),
            std::string::npos);
  EXPECT_NE(message("silent", "iteration: {limit: 3}", numerical_failure).find("unknown"),
            std::string::npos);
  EXPECT_NE(message("well", "time: {steps: 3}", input_error).find("there is no time"),
            std::string::npos);
}

TEST(Iterations, GoOnWithAHigherLimit) {
  const Team comm = world();
  const Scratch scratch(comm);
  const auto whole = run_in(scratch, jacobi(), jacobi_deck + "iteration: {tolerance: 1.0e-2}\n");
  const auto directory = scratch.path() / "parts";
  const std::string deck = jacobi_deck + "iteration: {tolerance: 1.0e-2, limit: ";
  EXPECT_THROW(run_solver(jacobi(), deck + "20}\n", directory), rt::Error);
  EXPECT_THROW(run_solver(jacobi(), deck + "21}\n", directory, true), rt::Error);
  run_solver(jacobi(), deck + "2000}\n", directory, true);
  MPI_Barrier(MPI_COMM_WORLD);
  EXPECT_EQ(files_of(directory).at("convergence.csv"), whole.at("convergence.csv"));
}

}  // namespace
}  // namespace cartwright::grid::test
