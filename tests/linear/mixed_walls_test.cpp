// SPDX-License-Identifier: Apache-2.0
// Walls with conditions of different kinds on parts of them: second order, the same bits on any
// number of ranks, cycles that grow slowly with the size.
#include <gtest/gtest.h>

#include "sample_system.hpp"

namespace cartwright::linear {
namespace {

using test::bumpy;
using test::error_of;
using test::part_of;
using test::Problem;
using test::rough;
using test::solve;
using test::solve_alone;
using test::Solved;

double exact(const std::array<double, 3>& x) {
  return std::cos(2 * x[0] + 0.3) * std::cos(1.5 * x[1] + 0.4);
}
/// -div(a grad exact) for a = 1 + x + y / 2.
double source(const std::array<double, 3>& x) {
  return 6.25 * (1 + x[0] + 0.5 * x[1]) * exact(x) +
         2 * std::sin(2 * x[0] + 0.3) * std::cos(1.5 * x[1] + 0.4) +
         0.75 * std::cos(2 * x[0] + 0.3) * std::sin(1.5 * x[1] + 0.4);
}
/// Outward, on the faces that have one.
double slope(const std::array<double, 3>& x) {
  if (x[0] <= 0.0) return 2 * std::sin(0.3) * std::cos(1.5 * x[1] + 0.4);
  const double along_y = 1.5 * std::cos(2 * x[0] + 0.3);
  return x[1] <= 0.0 ? along_y * std::sin(0.4) : -along_y * std::sin(1.9);
}

/// x_low and y_low are mixed, y_high has derivatives.
Problem smooth(long long cells) {
  return {.spec = {.extent = {cells, cells}},
          .walls = "mvmd",
          .right_side = source,
          .coefficient = [](const auto& x) { return 1 + x[0] + 0.5 * x[1]; },
          .at_walls = [](const auto& x) { return x[1] >= 1.0 ? slope(x) : exact(x); },
          .slopes = slope,
          .diffusion = {.mean = Mean::arithmetic}};
}

std::vector<Options> methods() {
  std::vector<Options> all{{.method = Method::multigrid},
                           {.method = Method::cg},
                           {.method = Method::pipelined_cg},
                           {.method = Method::cg, .preconditioner = Preconditioner::jacobi}};
  for (Options& options : all) options.tolerance = 1e-10;
  return all;
}

TEST(MixedWalls, AreOfSecondOrder) {
  for (const Options& options : methods()) {
    std::vector<double> errors;
    for (const long long cells : {32, 64, 128}) {
      const Problem problem = smooth(cells);
      const Solved got = solve_alone<2>(problem, options);
      errors.push_back(error_of(got, problem.spec, exact));
    }
    EXPECT_NEAR(std::log2(errors[1] / errors[2]), 2.0, 0.1) << errors[1] << ' ' << errors[2];
  }
}

template <int D>
void expect_same_bits(const Problem& problem, const Options& options, const std::string& what) {
  const Solved whole = solve_alone<D>(problem, options);
  const Solved got = solve<D>(problem, options);
  EXPECT_EQ(whole.result.iterations, got.result.iterations) << what;
  EXPECT_TRUE(part_of(whole, got.block) == got.values) << what;
}

TEST(MixedWalls, SameBitsOnAnyNumberOfRanks) {
  for (const Options& options : methods()) {
    expect_same_bits<3>({.spec = {.extent = {27, 19, 23}}, .walls = "mvrmdm", .coefficient = bumpy},
                        options, "27 x 19 x 23");
    expect_same_bits<3>({.spec = {.extent = {16, 24, 17}, .periodic = {false, true, false}},
                         .walls = "mdvvmr",
                         .coefficient = bumpy,
                         .at_walls = rough},
                        options, "16 x 24 x 17, periodic along y");
    expect_same_bits<2>({.spec = {.extent = {64, 6}, .length = {1.0, 30.0}, .origin = {-0.2, 0.3}},
                         .walls = "vmmm",
                         .coefficient = bumpy},
                        options, "64 x 6");
  }
}

/// Corrections are interpolated as beside values everywhere, so a few cycles more are needed with
/// each doubling (15 to 37 from 16 to 256 cells, as preconditioner 12 to 28).
TEST(MixedWalls, CyclesGrowSlowly) {
  for (const auto& [method, most] :
       std::vector<std::pair<Method, long long>>{{Method::multigrid, 42}, {Method::cg, 31}}) {
    const Options options{.method = method, .tolerance = 1e-10};
    for (const long long cells : {16, 32, 63, 128, 256}) {
      const Problem problem{
          .spec = {.extent = {cells, cells}}, .walls = "mvmm", .coefficient = bumpy};
      EXPECT_LE(solve<2>(problem, options).result.iterations, most) << cells;
    }
    for (const long long cells : {16, 32, 48})
      EXPECT_LE(
          solve<3>(
              {.spec = {.extent = {cells, cells, cells}}, .walls = "mvvmdm", .coefficient = bumpy},
              options)
              .result.iterations,
          most)
          << cells;
  }
}

/// Parts that differ in what is given, not in kind, need no coefficient; others say so.
TEST(MixedWalls, WithoutACoefficientPartsAreOfOneKind) {
  grid::test::SampleRun run("grid: {extent: [16, 16]}");
  Grid<2> grid(*run);
  Field<double, 2> u(grid, "u"), f(grid, "f");
  grid::BoundaryCondition whole = grid::BoundaryCondition::dirichlet(0.0);
  whole.parts.push_back(grid::BoundaryCondition::dirichlet(1.0));
  whole.parts.back().where = [](const auto& x) { return x[1] < 0.5; };
  const grid::Face face{0, grid::Side::low};
  u.set_boundary(face, whole);
  Diffusion laplacian(u);
  Solver solver(laplacian, methods().front());
  EXPECT_TRUE(solver.solve(u, f).converged);
  whole.parts.back().kind = grid::BoundaryCondition::Kind::neumann;
  u.set_boundary(face, whole);
  EXPECT_THROW(Diffusion{u}, rt::Error);
}

}  // namespace
}  // namespace cartwright::linear
