// SPDX-License-Identifier: Apache-2.0
// Walls with conditions of different kinds on parts of them: second order, the same bits on any
// number of ranks, cycles that depend on neither size nor stretching.
#include <gtest/gtest.h>

#include <cstdio>

#include "sample_system.hpp"

namespace cartwright::linear {
namespace {

using test::bumpy;
using test::error_of;
using test::part_of;
using test::Problem;
using test::repeats_what_two_ranks_do;
using test::rough;
using test::solve;
using test::solve_alone;
using test::solve_on_root;
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
  if (repeats_what_two_ranks_do()) GTEST_SKIP() << "two ranks do the same";
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
  grid::test::SampleRun run = test::sample_run();
  const Solved whole = solve_on_root<D>(run, problem, options);
  const Solved got = solve<D>(run, problem, options);
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

/// Two sizes only where the bits are known to be the same.
std::vector<long long> fewer_on_many_ranks(const std::vector<long long>& sizes) {
  return repeats_what_two_ranks_do() ? std::vector<long long>{16, 64} : sizes;
}

/// Iterations on the smallest grid, and on each of the others.
template <int D>
void expect_same_cycles(Problem problem, const std::vector<long long>& sizes, long long most) {
  for (const Method method : {Method::multigrid, Method::cg}) {
    std::vector<long long> taken;
    std::string line = problem.walls + (method == Method::cg ? ", as preconditioner:" : ":");
    for (const long long cells : fewer_on_many_ranks(sizes)) {
      problem.spec.extent.assign(D, cells);
      taken.push_back(solve<D>(problem, {.method = method, .tolerance = 1e-10}).result.iterations);
      EXPECT_LE(taken.back(), taken.front() + 2) << problem.walls << ' ' << cells;
      line += ' ' + std::to_string(taken.back());
    }
    std::puts(line.c_str());
    EXPECT_LE(taken.front(), most) << problem.walls;
  }
}

/// Cycles are those of walls with one condition, at most two more on large grids than on small
/// ones: where parts end inside of coarse cells (m), where all coarse grids meet the end of a part
/// (h, the hardest, in particular where nothing else has values), and where a part is one cell (o).
TEST(MixedWalls, CyclesDontDependOnSize) {
  const std::vector<long long> sizes{16, 63, 64, 128, 256};
  for (const char* const walls :
       {"vvvv", "mvmm", "mmmm", "hvvv", "hddd", "hhhh", "dhrd", "oddd", "vddo"})
    expect_same_cycles<2>({.walls = walls, .coefficient = bumpy}, sizes, 16);
  for (const char* const walls : {"mvvmdm", "hddddd"})
    expect_same_cycles<3>({.walls = walls, .coefficient = bumpy}, {16, 48, 64}, 17);
}

/// Sixteen pairs of parts on a wall: more cycles where a grid hardly sees them.
TEST(MixedWalls, ManyPartsTakeFewMoreCycles) {
  for (const Method method : {Method::multigrid, Method::cg})
    for (const char* const walls : {"sdds", "ssmr", "svvs"})
      for (const long long cells : fewer_on_many_ranks({16, 32, 64, 128, 256})) {
        const Problem problem{
            .spec = {.extent = {cells, cells}}, .walls = walls, .coefficient = bumpy};
        EXPECT_LE(solve<2>(problem, {.method = method, .tolerance = 1e-10}).result.iterations, 20)
            << walls << ' ' << cells;
      }
}

TEST(MixedWalls, CyclesDontDependOnStretching) {
  const auto narrow_at_ends = [](long long cells) {
    std::vector<double> edges;
    for (long long edge = 0; edge <= cells; ++edge)
      edges.push_back(
          std::tanh(4.0 * (static_cast<double>(edge) / static_cast<double>(cells) - 0.5)));
    return edges;
  };
  for (const Method method : {Method::multigrid, Method::cg})
    for (const long long cells : fewer_on_many_ranks({32, 64, 128})) {
      Problem problem{.walls = "mvsm", .coefficient = bumpy};
      problem.spec.extent = {cells, cells};
      problem.spec.edges = {narrow_at_ends(cells), narrow_at_ends(cells)};
      EXPECT_LE(solve<2>(problem, {.method = method, .tolerance = 1e-10}).result.iterations, 20)
          << cells;
    }
}

/// Values on a part that no cell touches: only derivatives are given, a solution is known but for
/// its mean.
TEST(MixedWalls, WithValuesNowhereTheSystemIsSingular) {
  grid::test::SampleRun run("grid: {extent: [16, 12]}");
  Grid<2> grid(*run);
  Field<double, 2> u(grid, "u"), f(grid, "f"), a(grid, "a");
  for (int number = 0; number < 4; ++number)
    u.set_boundary(grid::Face::from_number(number), grid::BoundaryCondition::neumann(0.0));
  grid::BoundaryCondition whole = grid::BoundaryCondition::neumann(0.0);
  whole.parts.push_back(grid::BoundaryCondition::dirichlet(0.0));
  whole.parts.back().where = [](const auto& x) { return x[1] > 2.0; };
  u.set_boundary({0, grid::Side::high}, whole);
  a.set_from([](const auto& x, int) { return bumpy(x); });
  f.set_from([](const auto& x, int) { return std::cos(test::pi * x[0]); });
  for (const Options& options : methods()) {
    Diffusion operation(u, a);
    EXPECT_TRUE(operation.is_singular());
    Solver solver(operation, options);
    EXPECT_TRUE(solver.solve(u, f).converged);
  }
  whole.parts.back().where = [](const auto& x) { return x[1] > 0.5; };
  u.set_boundary({0, grid::Side::high}, whole);
  Diffusion operation(u, a);
  EXPECT_FALSE(operation.is_singular());
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
