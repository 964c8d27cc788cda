// SPDX-License-Identifier: Apache-2.0
#include <cartwright/grid/exact_sum.hpp>
#include <cartwright/grid/field_statistics.hpp>

#include <algorithm>
#include <limits>
#include <random>

#include "sample_field.hpp"
#include "scratch.hpp"

namespace cartwright::grid::test {
namespace {

double sum_of(const std::vector<double>& values) {
  ExactSum sum;
  for (const double value : values) sum.add(value);
  return sum.value();
}

TEST(ExactSum, KeepsWhatRoundingLoses) {
  EXPECT_EQ(sum_of({}), 0.0);
  EXPECT_EQ(sum_of({1e308, 1.0, -1e308}), 1.0);
  EXPECT_EQ(sum_of({1e308, 1e308, -1e308}), 1e308);
  EXPECT_EQ(sum_of({5e-324, 1.0, -1.0}), 5e-324);
  EXPECT_EQ(sum_of({-0.1, -0.2, 0.1, 0.2}), 0.0);
  EXPECT_EQ(sum_of({-3.5, 1.25}), -2.25);
  EXPECT_EQ(sum_of({1.7976931348623157e308, 1.7976931348623157e308}),
            std::numeric_limits<double>::infinity());
}

TEST(ExactSum, RoundsToNearestTiesToEven) {
  const double half = std::ldexp(1.0, -53);
  EXPECT_EQ(sum_of({1.0, half}), 1.0);
  EXPECT_EQ(sum_of({1.0, half, 5e-324}), std::nextafter(1.0, 2.0));
  EXPECT_EQ(sum_of({std::nextafter(1.0, 2.0), half}), 1.0 + 4 * half);
  EXPECT_EQ(sum_of({-1.0, -half, -5e-324}), -std::nextafter(1.0, 2.0));
}

TEST(ExactSum, AgreesWithAdditionOfTwoNumbers) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20000; ++i) {
    const double a =
        std::ldexp(static_cast<double>(random()) - 9e18, static_cast<int>(random() % 120) - 60);
    const double b =
        std::ldexp(static_cast<double>(random()) - 9e18, static_cast<int>(random() % 120) - 60);
    ASSERT_EQ(sum_of({a, b}), a + b);  // IEEE addition is correctly rounded too
  }
}

TEST(ExactSum, SpecialNumbers) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(sum_of({infinity, 1}), infinity);
  EXPECT_EQ(sum_of({-infinity, 1}), -infinity);
  EXPECT_TRUE(std::isnan(sum_of({infinity, -infinity})));
  EXPECT_TRUE(std::isnan(sum_of({1, std::nan("")})));
}

TEST(ExactSum, SameBitsWhoeverAddsWhat) {
  const rt::Communicator comm = world();
  std::vector<double> values;
  std::mt19937_64 random(11);
  for (int i = 0; i < 1000; ++i)
    values.push_back(
        std::ldexp(static_cast<double>(random()) - 9e18, static_cast<int>(random() % 80) - 40));
  const double expected = sum_of(values);
  std::ranges::shuffle(values, random);
  ExactSum mine;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (static_cast<int>(i) % comm.size() == comm.rank().value) mine.add(values[i]);
  EXPECT_EQ(mine.over(comm).value(), expected);
}

TEST(FieldStatistics, SameBitsOnAnyNumberOfRanks) {
  const rt::Communicator comm = world();
  const rt::Communicator one = alone();
  const GridDescription grid{3, {11, 7, 3}};
  auto spread = sample(comm, grid, "u", Centring::node, 2);
  auto whole = sample(one, grid, "u", Centring::node, 2);
  spread.fill(0.3);
  whole.fill(0.3);
  const FieldStatistics a = statistics(comm, spread);
  const FieldStatistics b = statistics(one, whole);
  EXPECT_EQ(a.minimum, b.minimum);
  EXPECT_EQ(a.maximum, b.maximum);
  EXPECT_EQ(a.mean, b.mean);
  EXPECT_EQ(a.l2, b.l2);
  EXPECT_LT(a.minimum, a.mean);
  EXPECT_LT(a.mean, a.l2);
  EXPECT_LT(a.l2, a.maximum);
}

TEST(FieldStatistics, NotANumberShows) {
  const rt::Communicator comm = world();
  auto field = sample(comm, {2, {9, 8, 1}}, "u");
  field.fill(0);
  if (comm.is_root()) field.values()[3] = std::nan("");
  const FieldStatistics result = statistics(comm, field);
  EXPECT_TRUE(std::isnan(result.minimum) && std::isnan(result.maximum) && std::isnan(result.mean));
}

}  // namespace
}  // namespace cartwright::grid::test
