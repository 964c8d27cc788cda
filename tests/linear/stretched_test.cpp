// SPDX-License-Identifier: Apache-2.0
// Linear systems on cells that are stretched: second order, the same bits on any number of ranks,
// and as few cycles.
#include <gtest/gtest.h>
#include <mpi.h>

#include "sample_system.hpp"

namespace cartwright::linear {
namespace {

using test::bumpy;
using test::error_of;
using test::part_of;
using test::pi;
using test::Problem;
using test::repeats_what_two_ranks_do;
using test::rough;
using test::solve;
using test::solve_alone;
using test::solve_on_root;
using test::Solved;

/// Edges from 0 to 1, by a smooth map of them.
template <class Map>
std::vector<double> edges(long long cells, const Map& map) {
  std::vector<double> result;
  for (long long i = 0; i <= cells; ++i)
    result.push_back(map(static_cast<double>(i) / static_cast<double>(cells)));
  result.front() = 0.0;
  result.back() = 1.0;
  return result;
}
double wavy(double s) {
  return s + 0.1 * std::sin(2 * pi * s);
}
double dense_at_walls(double s) {
  return 0.5 * (1.0 + std::tanh(2.0 * (2.0 * s - 1.0)) / std::tanh(2.0));
}
/// The last cell is about 1000 times as wide as the first one.
double dense_at_one_end(double s) {
  return std::expm1(std::log(1000.0) * s) / 999.0;
}

std::vector<Options> all_methods() {
  std::vector<Options> all{
      {.method = Method::multigrid},
      {.method = Method::cg},
      {.method = Method::cg, .preconditioner = Preconditioner::jacobi},
      {.method = Method::pipelined_cg},
      {.method = Method::pipelined_cg, .preconditioner = Preconditioner::jacobi},
      {.method = Method::bicgstab}};
  for (Options& options : all) options.tolerance = 1e-10;
  return all;
}
std::vector<Options> methods_of_hypre() {
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks > 4) return {};  // see hypre_test.cpp
  std::vector<Options> all{{.method = Method::pfmg},
                           {.method = Method::boomeramg},
                           {.method = Method::cg, .preconditioner = Preconditioner::pfmg}};
  for (Options& options : all) options.tolerance = 1e-10;
  try {
    require_available(all.front());
  } catch (const rt::Error&) {
    return {};
  }
  return all;
}

double exact(const std::array<double, 3>& x) {
  return std::cos(2 * x[0] + 0.3) * std::cos(1.5 * x[1] + 0.4);
}

/// Values at x faces, derivatives at y faces; the coefficient varies.
Problem with_exact_solution(long long n) {
  Problem problem;
  problem.spec = {.extent = {n, n}, .edges = {edges(n, dense_at_walls), edges(n, wavy)}};
  problem.walls = "vvdd";
  problem.right_side = [](const std::array<double, 3>& x) {
    return 6.25 * (1 + x[0] + 0.5 * x[1]) * exact(x) +
           2 * std::sin(2 * x[0] + 0.3) * std::cos(1.5 * x[1] + 0.4) +
           0.75 * std::cos(2 * x[0] + 0.3) * std::sin(1.5 * x[1] + 0.4);
  };
  problem.at_walls = [](const std::array<double, 3>& x) {
    if (x[1] > 0.0 && x[1] < 1.0) return exact(x);
    return (x[1] > 0.5 ? -1.5 : 1.5) * std::cos(2 * x[0] + 0.3) * std::sin(1.5 * x[1] + 0.4);
  };
  problem.coefficient = [](const auto& x) { return 1 + x[0] + 0.5 * x[1]; };
  return problem;
}

TEST(StretchedSystems, AreOfSecondOrderByEveryMethod) {
  for (const Mean mean : {Mean::arithmetic, Mean::harmonic}) {
    std::vector<double> errors;
    for (const long long n : {32, 64, 128}) {
      Problem problem = with_exact_solution(n);
      problem.diffusion.mean = mean;
      errors.push_back(
          error_of(solve_alone<2>(problem, {.tolerance = 1e-10}), problem.spec, exact));
    }
    EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2.0, 0.1) << errors[0] << ' ' << errors[1];
    EXPECT_NEAR(std::log2(errors[1] / errors[2]), 2.0, 0.1) << errors[1] << ' ' << errors[2];
  }
  const Problem problem = with_exact_solution(48);
  const Solved expected = solve_alone<2>(problem, {.tolerance = 1e-11});
  for (const Options& options : all_methods()) {
    const Solved got = solve_alone<2>(problem, options);
    for (std::size_t i = 0; i < got.values.size(); ++i)
      ASSERT_NEAR(got.values[i], expected.values[i], 1e-8) << name_of(options);
  }
  for (const Options& options : methods_of_hypre()) {
    const Solved got = solve<2>(problem, options);
    const std::vector<double> mine = part_of(expected, got.block);
    for (std::size_t i = 0; i < mine.size(); ++i)
      ASSERT_NEAR(got.values[i], mine[i], 1e-8) << name_of(options);
  }
}

TEST(StretchedSystems, RobinConditionsAreOfSecondOrder) {
  if (repeats_what_two_ranks_do()) GTEST_SKIP() << "two ranks do the same";
  const auto solution = [](const std::array<double, 3>& x) {
    return std::exp(x[0]) * std::cos(x[1]);
  };
  std::vector<double> errors;
  for (const long long n : {32, 64, 128}) {
    Problem problem;
    problem.spec = {.extent = {n, n}, .edges = {edges(n, dense_at_walls), edges(n, wavy)}};
    problem.walls = "rrvv";
    problem.right_side = [](const auto&) { return 0.0; };
    problem.at_walls = [solution](const std::array<double, 3>& x) {
      const double outward = x[0] == 0.0 ? -1.0 : 1.0;
      return x[0] == 0.0 || x[0] == 1.0 ? (outward + 3.0) * solution(x) : solution(x);
    };
    errors.push_back(
        error_of(solve_alone<2>(problem, {.tolerance = 1e-10}), problem.spec, solution));
  }
  EXPECT_NEAR(std::log2(errors[1] / errors[2]), 2.0, 0.1) << errors[1] << ' ' << errors[2];
}

TEST(StretchedSystems, WhereConstantsAreFree) {
  if (repeats_what_two_ranks_do()) GTEST_SKIP() << "two ranks do the same";
  const auto solution = [](const std::array<double, 3>& x) {
    return std::cos(2 * pi * x[0]) * std::cos(pi * x[1]);
  };
  for (const Method method : {Method::multigrid, Method::cg}) {
    std::vector<double> errors;
    for (const long long n : {32, 64, 128}) {
      const Problem problem{
          .spec = {.extent = {n, n},
                   .periodic = {true, false},
                   .edges = {edges(n, wavy), edges(n, dense_at_walls)}},
          .walls = "dddd",
          .right_side = [solution](const auto& x) { return 5 * pi * pi * solution(x); }};
      const Solved got = solve_alone<2>(problem, {.method = method, .tolerance = 1e-9});
      errors.push_back(error_of(got, problem.spec, solution));
    }
    EXPECT_NEAR(std::log2(errors[1] / errors[2]), 2.0, 0.1) << errors[1] << ' ' << errors[2];
  }
}

TEST(StretchedSystems, SameBitsOnAnyNumberOfRanks) {
  const Problem plane{
      .spec = {.extent = {61, 40}, .edges = {edges(61, dense_at_walls), edges(40, wavy)}},
      .walls = "vdrv",
      .coefficient = bumpy};
  const Problem space{.spec = {.extent = {24, 19, 22},
                               .periodic = {false, false, true},
                               .edges = {edges(24, dense_at_one_end), {}, edges(22, wavy)}},
                      .walls = "vvdvvv",
                      .at_walls = rough};
  grid::test::SampleRun run = test::sample_run();
  for (Options options : all_methods())
    for (const long long gather_below : {1LL, 4096LL}) {
      options.multigrid.gather_below = gather_below;
      options.multigrid.cells_per_rank = 60;
      options.tolerance = 1e-7;
      const Solved alone = solve_on_root<2>(run, plane, options),
                   got = solve<2>(run, plane, options);
      EXPECT_EQ(got.result.residuals, alone.result.residuals) << name_of(options);
      EXPECT_EQ(got.values, part_of(alone, got.block)) << name_of(options);
      const Solved in_space = solve_on_root<3>(run, space, options),
                   there = solve<3>(run, space, options);
      EXPECT_EQ(there.result.residuals, in_space.result.residuals) << name_of(options);
      EXPECT_EQ(there.values, part_of(in_space, there.block)) << name_of(options);
    }
}

/// Cells from 1 : 1 to 1 : 1000 in one grid, along both axes. (With cells so narrow, residuals
/// can't fall to 1e-10 of the first one: what is rounded is divided by the square of their width.)
TEST(StretchedSystems, CyclesDependNeitherOnSizeNorOnStretching) {
  const Solved even = solve<2>({.spec = {.extent = {128, 128}}}, {.tolerance = 1e-6});
  for (const long long n : {32, 64, 128})
    for (const auto& map : {wavy, dense_at_walls, dense_at_one_end}) {
      const Problem problem{.spec = {.extent = {n, n}, .edges = {edges(n, map), edges(n, map)}}};
      for (const Method method : {Method::multigrid, Method::cg})
        EXPECT_LE(solve<2>(problem, {.method = method, .tolerance = 1e-6}).result.iterations,
                  2 * even.result.iterations)
            << n;
    }
}

}  // namespace
}  // namespace cartwright::linear
