// SPDX-License-Identifier: Apache-2.0
// Coefficients that jump by orders of magnitude: few cycles, however far they do, wherever the jump
// is and whichever side has the wall with the value, and the same bits on any number of ranks.
#include <gtest/gtest.h>

#include "sample_system.hpp"

namespace cartwright::linear {
namespace {

using test::Function;
using test::part_of;
using test::Problem;
using test::solve;
using test::solve_on_root;
using test::Solved;

Function behind_a_plane(double at, double coefficient) {
  return [=](const std::array<double, 3>& x) { return x[0] < at ? 1.0 : coefficient; };
}
Function on_an_island(double coefficient) {
  return [=](const std::array<double, 3>& x) {
    const double across = x[0] - 0.5, along = x[1] - 0.5;
    return across * across + along * along < 0.05 ? coefficient : 1.0;
  };
}

template <int D>
void expect_few_cycles(const Problem& problem, int most, const std::string& what) {
  grid::test::SampleRun run = test::sample_run();
  for (const Method method : {Method::multigrid, Method::cg}) {
    const Options options{
        .method = method, .preconditioner = Preconditioner::multigrid, .tolerance = 1e-6};
    const Solved got = solve<D>(run, problem, options);
    EXPECT_LE(got.result.iterations, most) << what << ", " << name_of(options);
    const Solved alone = solve_on_root<D>(run, problem, options);
    EXPECT_EQ(got.result.residuals, alone.result.residuals) << what << ", " << name_of(options);
    EXPECT_EQ(got.values, part_of(alone, got.block)) << what << ", " << name_of(options);
  }
}

class Jump : public testing::TestWithParam<double> {};

TEST_P(Jump, NeedsFewCycles) {
  const auto one = [](const std::array<double, 3>&) { return 1.0; };
  for (const std::string walls : {"vddd", "dvdd", "rddd", "vvvv"})
    for (const double at : {0.5, 0.4, 0.13}) {
      const std::string what = "walls " + walls + ", jump at " + std::to_string(at);
      expect_few_cycles<2>({.spec = {.extent = {32, 32}},
                            .walls = walls,
                            .right_side = one,
                            .coefficient = behind_a_plane(at, GetParam())},
                           25, what);
    }
  expect_few_cycles<2>({.spec = {.extent = {36, 30}, .periodic = {false, true}},
                        .walls = "vddd",
                        .right_side = one,
                        .coefficient = on_an_island(GetParam())},
                       30, "an island");
  expect_few_cycles<3>({.spec = {.extent = {16, 12, 18}},
                        .walls = "vddddd",
                        .right_side = one,
                        .coefficient = behind_a_plane(0.5, GetParam())},
                       25, "in space");
}
INSTANTIATE_TEST_SUITE_P(By, Jump, testing::Values(1.0, 10.0, 1e3, 1e4, 1e-3, 1e-4));

}  // namespace
}  // namespace cartwright::linear
