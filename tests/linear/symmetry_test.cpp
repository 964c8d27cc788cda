// SPDX-License-Identifier: Apache-2.0
// Multigrid as a preconditioner for pipelined conjugate gradients is a symmetric matrix; they need
// that.
#include <gtest/gtest.h>

#include "sample_system.hpp"

namespace cartwright::linear {
namespace {

using test::bumpy;

struct Case {
  grid::GridSpec spec;
  std::string walls;
};

/// What multigrid makes of each unit vector, cells of a uniform grid.
template <int D>
std::vector<std::vector<double>> matrix_of(Grid<D>& grid, const Case& a_case,
                                           const MultigridOptions& options) {
  Field<double, D> u(grid, "u"), coefficient(grid, "a"), r(grid, "r");
  Field<double, D> z(grid, "z", {.corners = true});
  const test::Problem problem{.spec = a_case.spec, .walls = a_case.walls};
  test::set_walls(u, problem);
  test::set_walls(z, problem);
  coefficient.set_from([](const auto& x, int) { return bumpy(x); });
  Diffusion a(u, coefficient, {.reaction = 0.5});
  Multigrid multigrid(a, options, true);
  const auto cells = static_cast<std::size_t>(u.block().points());
  std::vector<std::vector<double>> matrix;
  for (std::size_t column = 0; column < cells; ++column) {
    std::vector<double> values(cells, 0.0);
    values[column] = 1.0;
    r.copy_owned_from(std::as_bytes(std::span(values)));
    multigrid.precondition(z, r);
    z.copy_owned_to(std::as_writable_bytes(std::span(values)));
    matrix.push_back(values);
  }
  return matrix;
}

template <int D>
void expect_symmetric(grid::test::SampleRun& run, const Case& a_case,
                      const MultigridOptions& options) {
  Grid<D> grid(*run, a_case.spec);
  const auto matrix = matrix_of(grid, a_case, options);
  double largest = 0.0, asymmetry = 0.0;
  for (std::size_t i = 0; i < matrix.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      largest = std::max(largest, std::abs(matrix[i][j]));
      asymmetry = std::max(asymmetry, std::abs(matrix[i][j] - matrix[j][i]));
    }
  std::string extent;
  for (const long long cells : a_case.spec.extent) extent += std::to_string(cells) + ' ';
  EXPECT_LE(asymmetry, 1e-12 * largest) << extent << a_case.walls;
}

TEST(Linear, MultigridForPipelinedIsSymmetric) {
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks > 1) GTEST_SKIP() << "one rank has the same bits";
  grid::test::SampleRun run = test::sample_run();
  for (const Cycle cycle : {Cycle::v, Cycle::w})
    for (const int sweeps : {1, 2}) {
      const MultigridOptions options{.cycle = cycle, .before = sweeps, .after = sweeps};
      for (const long long n : {1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 16}) {
        for (const bool periodic : {false, true}) {
          expect_symmetric<1>(run, {{.extent = {n}, .periodic = {periodic}}, "vd"}, options);
          for (const double length : {1.0, 0.1, 30.0})
            expect_symmetric<2>(
                run,
                {{.extent = {n, 6}, .length = {1.0, length}, .periodic = {periodic, false}},
                 "vdrv"},
                options);
        }
      }
      expect_symmetric<3>(run, {{.extent = {3, 5, 4}, .periodic = {true, true, false}}, "vvvvvd"},
                          options);
    }
}

/// Odd periodic axes have neighbours of one colour; a small number times a long axis leaves little
/// but rounding.
TEST(Linear, PipelinedOnPeriodicAxes) {
  for (const long long n : {3, 5, 11, 32})
    for (const double length : {0.75, 75.0}) {
      const test::Problem problem{
          .spec = {.extent = {n, 9}, .length = {1.0, length}, .periodic = {true, false}},
          .coefficient = bumpy};
      const test::Solved expected = test::solve<2>(
          problem, {.method = Method::cg, .preconditioner = Preconditioner::multigrid});
      const test::Solved got = test::solve<2>(
          problem, {.method = Method::pipelined_cg, .preconditioner = Preconditioner::multigrid});
      EXPECT_TRUE(got.result.converged);
      EXPECT_LE(got.result.iterations, expected.result.iterations * 3 / 2 + 2) << n;
    }
}

}  // namespace
}  // namespace cartwright::linear
