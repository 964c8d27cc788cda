// SPDX-License-Identifier: Apache-2.0
// hypre's multigrid behind the same keys finds what ours finds; without hypre one line says what to
// install.
#include <gtest/gtest.h>
#include <mpi.h>

#include "sample_system.hpp"

namespace cartwright::linear {
namespace {

using test::bumpy;
using test::Problem;
using test::rough;
using test::solve;
using test::Solved;

class Hypre : public testing::Test {
 protected:
  void SetUp() override {
    int ranks = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    // Its waits don't give way: ranks that share a core wait long for each other.
    if (ranks > 4) GTEST_SKIP() << "hypre is judged on up to 4 ranks";
    try {
      require_available({.method = Method::pfmg});
    } catch (const rt::Error& error) {
      EXPECT_EQ(error.code(), rt::ExitCode::input_error);
      EXPECT_EQ(error.reach(), rt::Reach::all_ranks);
      EXPECT_NE(std::string(error.what()).find("'pfmg' is hypre's"), std::string::npos);
      EXPECT_THROW(require_available({.method = Method::cg, .preconditioner = Preconditioner::smg}),
                   rt::Error);
      require_available({.method = Method::multigrid, .preconditioner = Preconditioner::smg});
      GTEST_SKIP() << error.what();
    }
  }
};

/// On this rank, relative to the largest value.
double difference(const Solved& a, const Solved& b) {
  double most = 0.0, largest = 0.0;
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    most = std::max(most, std::abs(a.values[i] - b.values[i]));
    largest = std::max(largest, std::abs(b.values[i]));
  }
  return largest > 0.0 ? most / largest : most;
}

template <int D>
void expect_alike(const Problem& problem, const std::string& what, bool structured = true) {
  const Solved expected = solve<D>(problem, {.tolerance = 1e-10});
  std::vector<Options> all;
  if (structured)
    for (const auto& [method, preconditioner] :
         {std::pair{Method::pfmg, Preconditioner::pfmg}, {Method::smg, Preconditioner::smg}}) {
      all.push_back({.method = method, .tolerance = 1e-10, .limit = 60});
      all.push_back({.method = Method::cg, .preconditioner = preconditioner, .tolerance = 1e-10});
    }
  all.push_back({.method = Method::boomeramg, .tolerance = 1e-10, .limit = 60});
  for (const Method method : {Method::cg, Method::pipelined_cg, Method::bicgstab})
    all.push_back(
        {.method = method, .preconditioner = Preconditioner::boomeramg, .tolerance = 1e-10});
  for (const Options& options : all) {
    const Solved got = solve<D>(problem, options);
    EXPECT_LT(difference(got, expected), 1e-7) << what << " by " << name_of(options);
    EXPECT_LE(got.result.iterations, 60) << what << " by " << name_of(options);
  }
}

TEST_F(Hypre, FindsTheSameSolutions) {
  expect_alike<3>({.spec = {.extent = {37, 29, 23}}, .walls = "vddvvv", .at_walls = rough},
                  "37 x 29 x 23");
  expect_alike<2>({.spec = {.extent = {101, 64}, .length = {1.0, 30.0}},
                   .coefficient = bumpy,
                   .diffusion = {.factor = 0.3, .reaction = 7.0, .mean = Mean::arithmetic}},
                  "101 x 64");
  expect_alike<2>({.spec = {.extent = {32, 48}, .periodic = {true, false}},
                   .walls = "vvrd",
                   .coefficient = bumpy},
                  "periodic, 32 x 48");
}

/// hypre's structured methods want periodic axes of a power of two cells, and dislike lines.
TEST_F(Hypre, BoomeramgTakesWhatTheOthersDont) {
  expect_alike<3>({.spec = {.extent = {24, 27, 17}, .periodic = {false, true, true}},
                   .walls = "dvvvvv",
                   .coefficient = bumpy},
                  "periodic, 24 x 27 x 17", false);
  expect_alike<1>({.spec = {.extent = {83}}, .walls = "dv"}, "83", false);
  const auto balanced = [](const std::array<double, 3>& x) {
    return std::cos(2 * test::pi * x[0]) * std::cos(test::pi * x[1]);
  };
  expect_alike<2>({.spec = {.extent = {31, 26}, .periodic = {true, false}},
                   .walls = "dddd",
                   .right_side = balanced},
                  "constants are free", false);
}

}  // namespace
}  // namespace cartwright::linear
