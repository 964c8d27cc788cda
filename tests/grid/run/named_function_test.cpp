// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cartwright/grid/run/named_function.hpp>
#include <cmath>
#include <set>

namespace cartwright::grid {
namespace {

GridDescription plate() {
  GridDescription grid;
  grid.dimensions = 2;
  grid.extent = {20, 10, 1};
  grid.length = {2.0, 1.0, 1.0};
  grid.origin = {1.0, 0.0, 0.0};
  return grid;
}

double at(const std::string& name, const FunctionNumbers& numbers, std::array<double, 3> position) {
  return find_named_function(name)->make(numbers, plate())(position, 0);
}

TEST(NamedFunction, HasDefaultsThatFitTheGrid) {
  EXPECT_EQ(at("zero", {}, {1.5, 0.5, 0}), 0.0);
  EXPECT_EQ(at("constant", {}, {1.5, 0.5, 0}), 1.0);
  EXPECT_EQ(at("gaussian", {}, {2.0, 0.5, 0}), 1.0) << "the middle";
  EXPECT_NEAR(at("gaussian", {}, {2.1, 0.5, 0}), std::exp(-0.5), 1e-15)
      << "width: a tenth of the shortest";
  EXPECT_DOUBLE_EQ(at("sine", {}, {2.0, 0.5, 0}), 1.0);
  EXPECT_NEAR(at("sine", {}, {3.0, 0.5, 0}), 0.0, 1e-15);
  EXPECT_EQ(at("box", {}, {2.0, 0.5, 0}), 1.0);
  EXPECT_EQ(at("box", {}, {1.1, 0.5, 0}), 0.0);
}

TEST(NamedFunction, TakesNumbers) {
  const FunctionNumbers numbers{
      {"centre", {1.0, 0.0}}, {"height", {3.0}}, {"width", {0.5}}, {"base", {10.0}}};
  EXPECT_EQ(at("gaussian", numbers, {1.0, 0.0, 0}), 13.0);
  EXPECT_EQ(at("box", {{"lower", {0.0}}, {"upper", {9.0}}, {"inside", {5.0}}}, {1.1, 0.5, 0}), 5.0);
}

TEST(NamedFunction, RandomNumbersBelongToPointsAndSeeds) {
  std::set<double> values;
  for (int i = 0; i < 100; ++i) {
    const double value = at("random", {}, {1.0 + 0.1 * (i % 20 + 0.5), 0.1 * (i / 20 + 0.5), 0});
    EXPECT_GE(value, 0.0);
    EXPECT_LT(value, 1.0);
    values.insert(value);
  }
  EXPECT_EQ(values.size(), 100U);
  EXPECT_NE(at("random", {{"seed", {2.0}}}, {1.05, 0.05, 0}), at("random", {}, {1.05, 0.05, 0}));
}

TEST(NamedFunction, NobodyKnowsOthers) {
  EXPECT_EQ(find_named_function("gausian"), nullptr);
}

}  // namespace
}  // namespace cartwright::grid
