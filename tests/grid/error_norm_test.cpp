// SPDX-License-Identifier: Apache-2.0
// How far a field is from its exact solution, for numbers of any size.
#include <gtest/gtest.h>

#include <cartwright/grid/field/field.hpp>
#include <cartwright/grid/output/error_norm.hpp>
#include <cmath>
#include <limits>

#include "sample_run.hpp"

namespace cartwright::grid {
namespace {

using test::SampleRun;

/// Of a field with `one` in the cell at x, y = (6.5, 2.5) and `others` elsewhere.
ErrorNorms norms(double one, double others, const std::string& exact) {
  SampleRun run("grid: {extent: [9, 8], length: [9, 8]}");
  Grid<2> grid(*run);
  Field<double, 2> u(grid, "u");
  u.set_from([&](const std::array<double, 3>& x, int) {
    return x[0] == 6.5 && x[1] == 2.5 ? one : others;
  });
  const std::vector<Formula> formulas{Formula(exact, {})};
  return error_norms(u, formulas, 0.0);
}

TEST(ErrorNorms, AnySize) {
  for (const double size : {1.0, 1e200, -1e200, 1e-200, 1e307, 1e-320}) {
    const ErrorNorms equal = norms(size, size, "0");
    EXPECT_EQ(equal.maximum, std::abs(size));
    EXPECT_DOUBLE_EQ(equal.l2, std::abs(size));
    const ErrorNorms single = norms(size, 0, "0");
    EXPECT_EQ(single.maximum, std::abs(size));
    EXPECT_DOUBLE_EQ(single.l2, std::abs(size) / std::sqrt(72.0));
  }
  const ErrorNorms mixed = norms(1e200, 1e-200, "0");
  EXPECT_EQ(mixed.maximum, 1e200);
  EXPECT_DOUBLE_EQ(mixed.l2, 1e200 / std::sqrt(72.0));
  EXPECT_EQ(norms(2.5, 2.5, "2.5").l2, 0);
  EXPECT_EQ(norms(2.5, 2.5, "2.5").maximum, 0);
}

TEST(ErrorNorms, NotANumberAndInfinityShow) {
  const ErrorNorms bad = norms(std::nan(""), 1, "0");
  EXPECT_TRUE(std::isnan(bad.maximum));
  EXPECT_TRUE(std::isnan(bad.l2));
  const ErrorNorms infinite = norms(-INFINITY, 1, "0");
  EXPECT_EQ(infinite.maximum, INFINITY);
  EXPECT_EQ(infinite.l2, INFINITY);
  constexpr double most = std::numeric_limits<double>::max();
  EXPECT_EQ(norms(most, 0, "-1e308").maximum, INFINITY) << "which no number holds";
}

TEST(ErrorNorms, OneFormulaForAllComponentsOrOneForEach) {
  SampleRun run("grid: {extent: [9, 8], length: [9, 8]}");
  Grid<2> grid(*run);
  Field<Vector<double, 3>, 2> wind(grid, "wind");
  wind.set_from([](const std::array<double, 3>&, int component) { return 1.0 + component; });
  const Formula one("1", {});
  const Formula two("2", {});
  EXPECT_EQ(error_norms(wind, std::vector{one, two, Formula("3", {})}, 0.0).maximum, 0.0);
  EXPECT_EQ(error_norms(wind, std::vector{one}, 0.0).maximum, 2.0);
  EXPECT_THROW((void)error_norms(wind, std::vector{one, two}, 0.0), rt::Error);
}

}  // namespace
}  // namespace cartwright::grid
