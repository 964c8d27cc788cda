// SPDX-License-Identifier: Apache-2.0
#include <cartwright/comm/elements/binned_sum.hpp>
#include <cartwright/grid/output/field_statistics.hpp>

#include <algorithm>
#include <limits>

#include "sample_field.hpp"
#include "scratch.hpp"

namespace cartwright::grid::test {
namespace {

TEST(FieldStatistics, SameBitsOnAnyNumberOfRanks) {
  const Team comm = world();
  const Team one = alone();
  const GridDescription grid{3, {11, 7, 3}};
  auto spread = sample(comm, grid, "u", Centring::node, 2);
  auto whole = sample(one, grid, "u", Centring::node, 2);
  spread.fill(0.3);
  whole.fill(0.3);
  const FieldStatistics a = statistics(comm, grid, spread);
  const FieldStatistics b = statistics(one, grid, whole);
  EXPECT_EQ(a.minimum, b.minimum);
  EXPECT_EQ(a.maximum, b.maximum);
  EXPECT_EQ(a.mean, b.mean);
  EXPECT_EQ(a.l2, b.l2);
  EXPECT_LT(a.minimum, a.mean);
  EXPECT_LT(a.mean, a.l2);
  EXPECT_LT(a.l2, a.maximum);
}

TEST(FieldStatistics, SameBitsInWhateverParts) {
  const Team comm = world();
  const Team one = alone();
  for (const std::array<long long, 3>& extent :
       {std::array{200001LL, 1LL, 1LL}, {300LL, 301LL, 1LL}, {41LL, 50LL, 60LL}}) {
    const GridDescription grid{extent[2] > 1 ? 3 : 2, extent};
    auto spread = sample(comm, grid, "u");
    auto whole = sample(one, grid, "u");
    spread.fill(0.3);
    whole.fill(0.3);
    const FieldStatistics found = statistics(comm, grid, spread);
    comm::BinnedSum sum;
    sum.add(whole.values());
    EXPECT_EQ(found.mean, sum.mean(static_cast<double>(whole.values().size())));
    EXPECT_EQ(found.minimum, *std::ranges::min_element(whole.values()));
    EXPECT_EQ(found.maximum, *std::ranges::max_element(whole.values()));
    EXPECT_EQ(found.l2, statistics(one, grid, whole).l2);
  }
}

TEST(FieldStatistics, AreOneCollectiveOfTheBytesThatTheyNeed) {
  const auto comm = rt::Communicator::duplicate(MPI_COMM_WORLD);
  if (comm.size() != 2) GTEST_SKIP() << "two ranks tell each other what they have, once";
  rt::ProgressEngine engine;
  const comm::Collectives collectives(
      comm, engine,
      comm::Context{.settings = {.backend = comm::BackendId::p2p, .is_resolved = true}});
  const GridDescription grid{2, {9, 8, 1}};
  auto field = sample(comm, grid, "u");
  field.fill(0.3);
  (void)statistics(collectives, grid, field);
  const comm::Traffic& sent = collectives.backends().traffic();
  EXPECT_EQ(sent.messages_off_node, 1);
  EXPECT_EQ(sent.bytes_off_node, 16 + 4 * 40);  // extremes, a sum, and squares of three sizes
}

/// Of a field of 9 x 8 cells; ranks beyond 72 have none, and with one row most have none.
FieldStatistics of_cells(const auto& value, int components = 1,
                         GridDescription grid = {2, {9, 8, 1}}) {
  const Team comm = world();
  auto field = sample(comm, grid, "u", Centring::cell, components);
  field.fill_with([&](const auto& place, int component) {
    return value(place[0] + grid.extent[0] * place[1], component);
  });
  return statistics(comm, grid, field);
}

FieldStatistics of_equal_cells(double value) {
  return of_cells([value](long long, int) { return value; });
}

TEST(FieldStatistics, PowersOfTwoChangeNoBit) {
  const auto scaled = [](int exponent, int components) {
    return of_cells(
        [exponent](long long cell, int component) {
          const std::array<long long, 3> place{cell, 0, 0};
          return std::ldexp(SampleField<double>::number(place, component, 0.3), exponent);
        },
        components);
  };
  for (const int components : {1, 3}) {
    const FieldStatistics plain = scaled(0, components);
    for (const int exponent : {-1015, -800, -510, -480, 470, 482, 700, 1014}) {
      const FieldStatistics other = scaled(exponent, components);
      EXPECT_EQ(other.minimum, std::ldexp(plain.minimum, exponent)) << exponent;
      EXPECT_EQ(other.maximum, std::ldexp(plain.maximum, exponent)) << exponent;
      EXPECT_EQ(other.mean, std::ldexp(plain.mean, exponent)) << exponent;
      EXPECT_EQ(other.l2, std::ldexp(plain.l2, exponent)) << exponent;
    }
  }
}

TEST(FieldStatistics, EqualNumbersOfAnySize) {
  constexpr double most = std::numeric_limits<double>::max();
  for (const double value : {1e200, -1e200, 1e-200, most, -most, 5e-324, 1e-310, 0.0, 1.0}) {
    const FieldStatistics result = of_equal_cells(value);
    EXPECT_EQ(result.minimum, value);
    EXPECT_EQ(result.maximum, value);
    EXPECT_DOUBLE_EQ(result.mean, value);
    EXPECT_DOUBLE_EQ(result.l2, std::abs(value));
  }
}

TEST(FieldStatistics, MixturesOfSizes) {
  const auto with_one = [](double one, double others) {
    return of_cells([=](long long cell, int) { return cell == 37 ? one : others; }).l2;
  };
  EXPECT_DOUBLE_EQ(with_one(1e200, 1), 1e200 / std::sqrt(72.0));
  EXPECT_DOUBLE_EQ(with_one(1e200, 1e-200), 1e200 / std::sqrt(72.0));
  EXPECT_DOUBLE_EQ(with_one(1, 1e-200), 1 / std::sqrt(72.0));
  EXPECT_DOUBLE_EQ(with_one(1e-200, 1), std::sqrt(71.0 / 72.0));
  EXPECT_DOUBLE_EQ(with_one(0, 1e-200), 1e-200 * std::sqrt(71.0 / 72.0));
  EXPECT_DOUBLE_EQ(with_one(1e-320, 0), 1e-320 / std::sqrt(72.0));
  // On both sides of where numbers begin to be scaled.
  for (const double edge : {0x1p480, 0x1p-500})
    EXPECT_DOUBLE_EQ(
        of_cells([=](long long cell, int) { return edge * (cell % 2 == 0 ? 3 : 0.25); }).l2,
        edge * std::sqrt((9 + 0.0625) / 2));
}

TEST(FieldStatistics, VectorsOfAnySize) {
  for (const double size : {1e200, 1e-200, 1e300, 1e-310}) {
    const FieldStatistics result = of_cells(
        [size](long long, int component) { return component == 0 ? 3 * size : -4 * size; }, 2);
    EXPECT_DOUBLE_EQ(result.maximum, 5 * size);
    EXPECT_DOUBLE_EQ(result.l2, 5 * size);
  }
  const auto with = [](double first, double second) {
    return of_cells([=](long long, int component) { return component == 0 ? first : second; }, 2);
  };
  EXPECT_EQ(with(0, 0).l2, 0);
  EXPECT_EQ(with(1e200, INFINITY).maximum, INFINITY);
  EXPECT_TRUE(std::isnan(with(std::nan(""), 1e200).l2));
  EXPECT_TRUE(std::isnan(with(INFINITY, std::nan("")).l2));
}

TEST(FieldStatistics, RanksWithoutCells) {
  const FieldStatistics result = of_cells([](long long, int) { return -1e200; }, 1, {1, {1, 1, 1}});
  EXPECT_EQ(result.minimum, -1e200);
  EXPECT_EQ(result.maximum, -1e200);
  EXPECT_DOUBLE_EQ(result.l2, 1e200);
}

TEST(FieldStatistics, InfinityShows) {
  const auto result = of_cells([](long long cell, int) { return cell == 3 ? HUGE_VAL : 1.0; });
  EXPECT_EQ(result.maximum, INFINITY);
  EXPECT_EQ(result.mean, INFINITY);
  EXPECT_EQ(result.l2, INFINITY);
  EXPECT_EQ(result.minimum, 1);
}

TEST(FieldStatistics, NotANumberShows) {
  const Team comm = world();
  const GridDescription grid{2, {9, 8, 1}};
  auto field = sample(comm, grid, "u");
  field.fill(0);
  if (comm.is_root()) field.values()[3] = std::nan("");
  const FieldStatistics result = statistics(comm, grid, field);
  EXPECT_TRUE(std::isnan(result.minimum) && std::isnan(result.maximum) && std::isnan(result.mean));
}

}  // namespace
}  // namespace cartwright::grid::test
