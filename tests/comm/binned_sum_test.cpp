// SPDX-License-Identifier: Apache-2.0
// Sums that don't know who adds what: against an exact sum, and against themselves in other orders.
#include <gtest/gtest.h>

#include <algorithm>
#include <cartwright/comm/elements/binned_sum.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "long_accumulator.hpp"

namespace cartwright::comm {
namespace {

using Limits = std::numeric_limits<double>;
using test::LongAccumulator;

static_assert(std::is_trivially_copyable_v<BinnedSum> && sizeof(BinnedSum) == 40);
static_assert(std::has_unique_object_representations_v<BinnedSum>);
static_assert(std::remove_const_t<decltype(binned_sum)>::is_exact,
              "learning may try any algorithm");

BinnedSum one_by_one(std::span<const double> values) {
  BinnedSum sum;
  for (const double value : values) sum.add(value);
  return sum;
}
BinnedSum in_blocks(std::span<const double> values) {
  BinnedSum sum;
  sum.add(values);
  return sum;
}
double sum_of(const std::vector<double>& values) {
  const BinnedSum sum = one_by_one(values);
  EXPECT_EQ(sum, in_blocks(values));
  return sum.value();
}

bool have_same_bits(double a, double b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

/// What numbers may look like.
struct Kind {
  std::string name;
  int lowest, highest;  // exponents
  double zeros = 0;     // share
};
const std::vector<Kind> kinds{{"of one size", 0, 1},          {"of some sizes", -40, 0},
                              {"of many sizes", -200, 200},   {"of all sizes", -1074, 1023},
                              {"at the edge of a bin", 3, 8}, {"large", 990, 1023},
                              {"small", -1074, -1000},        {"sparse", -60, 0, 0.9},
                              {"of two bins", -22, 3},        {"of two bins, almost", -23, 3}};

class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : random_(seed) {}
  double one(const Kind& kind) {
    if (std::uniform_real_distribution<double>()(random_) < kind.zeros)
      return random_() % 2 == 0 ? 0.0 : -0.0;
    const double fraction = 1.0 + std::uniform_real_distribution<double>()(random_);
    const int exponent = std::uniform_int_distribution<int>(kind.lowest, kind.highest)(random_);
    // Some with few bits: ties, and exact cancellation.
    const double rounded =
        random_() % 4 == 0 ? std::ldexp(std::floor(std::ldexp(fraction, 3)), -3) : fraction;
    return std::ldexp(random_() % 2 == 0 ? -rounded : rounded, exponent);
  }
  std::vector<double> some(const Kind& kind, std::size_t count) {
    std::vector<double> values(count);
    for (double& value : values) value = one(kind);
    for (std::size_t i = 0; i + 1 < count && random_() % 3 == 0; i += 2) values[i] = -values[i + 1];
    return values;
  }
  std::size_t below(std::size_t limit) { return random_() % limit; }
  void shuffle(std::vector<double>& values) { std::ranges::shuffle(values, random_); }

 private:
  std::mt19937_64 random_;
};

/// A random tree of partial sums.
BinnedSum by_parts(std::span<const double> values, Numbers& numbers) {
  if (values.size() < 2 || numbers.below(8) == 0)
    return numbers.below(2) == 0 ? one_by_one(values) : in_blocks(values);
  const std::size_t cut = numbers.below(values.size() + 1);
  const BinnedSum left = by_parts(values.first(cut), numbers);
  const BinnedSum right = by_parts(values.subspan(cut), numbers);
  const detail::AddBinnedSums both{};
  return numbers.below(2) == 0 ? both(left, right) : both(right, left);
}

TEST(BinnedSum, AnyOrderAndAnySplitGiveTheSameBytes) {
  Numbers numbers(1);
  for (const Kind& kind : kinds) {
    for (const std::size_t count : {1U, 2U, 3U, 17U, 300U, 10000U}) {
      std::vector<double> values = numbers.some(kind, count);
      const BinnedSum expected = one_by_one(values);
      for (int turn = 0; turn < (count > 1000 ? 5 : 60); ++turn) {
        numbers.shuffle(values);
        ASSERT_EQ(by_parts(values, numbers), expected) << kind.name << ", " << count;
      }
    }
  }
}

TEST(BinnedSum, IsWithinItsBound) {
  Numbers numbers(2);
  for (const Kind& kind : kinds) {
    for (const std::size_t count : {1U, 2U, 5U, 100U, 5000U}) {
      for (int turn = 0; turn < (count > 1000 ? 4 : 100); ++turn) {
        const std::vector<double> values = numbers.some(kind, count);
        LongAccumulator exact;
        double greatest = 0;
        for (const double value : values) {
          exact.add(value);
          greatest = std::max(greatest, std::abs(value));
        }
        const double sum = in_blocks(values).value();
        if (std::isinf(exact.value())) {
          ASSERT_EQ(sum, exact.value());
          continue;
        }
        LongAccumulator error = exact;
        error.add(-sum);
        // In long doubles, whose range ends nowhere near.
        const long double lost = std::ldexp(static_cast<long double>(count) * greatest, -80);
        const long double unit = std::nextafter(std::abs(sum), Limits::infinity()) - std::abs(sum);
        ASSERT_LE(std::abs(static_cast<long double>(error.value())), lost + unit / 2)
            << kind.name << ", " << count;
        double plain = 0;
        for (const double value : values) plain += value;
        if (std::isinf(plain)) continue;
        LongAccumulator plain_error = exact;
        plain_error.add(-plain);
        ASSERT_LE(std::abs(static_cast<long double>(error.value())),
                  std::abs(static_cast<long double>(plain_error.value())) + lost);
      }
    }
  }
}

TEST(BinnedSum, OfTwoNumbersIsTheirSum) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20000; ++i) {
    const double a =
        std::ldexp(static_cast<double>(random()) - 9e18, static_cast<int>(random() % 120) - 60);
    const double b =
        std::ldexp(static_cast<double>(random()) - 9e18, static_cast<int>(random() % 120) - 60);
    ASSERT_EQ(sum_of({a, b}), a + b);  // IEEE addition is correctly rounded too
  }
}

TEST(BinnedSum, KeepsWhatRoundingLoses) {
  EXPECT_EQ(sum_of({}), 0.0);
  EXPECT_EQ(sum_of({1e30, 1e8, -1e30}), 1e8);
  EXPECT_EQ(sum_of({1e308, 1e308, -1e308}), 1e308);
  EXPECT_EQ(sum_of({5e-324, 1e-300, -1e-300}), 5e-324);
  EXPECT_EQ(sum_of({-0.1, -0.2, 0.1, 0.2}), 0.0);
  EXPECT_EQ(sum_of({-3.5, 1.25}), -2.25);
  EXPECT_EQ(sum_of({Limits::max(), Limits::max()}), Limits::infinity());
  EXPECT_EQ(sum_of({-Limits::max(), -Limits::max()}), -Limits::infinity());
  // What lies below 2^-80 of the greatest may be lost, for everybody.
  EXPECT_EQ(sum_of({1e308, 1.0, -1e308}), 0.0);
}

TEST(BinnedSum, RoundsToNearestTiesToEven) {
  const double half = std::ldexp(1.0, -53);
  const double tiny = std::ldexp(1.0, -78);
  EXPECT_EQ(sum_of({1.0, half}), 1.0);
  EXPECT_EQ(sum_of({1.0, half, tiny}), std::nextafter(1.0, 2.0));
  EXPECT_EQ(sum_of({std::nextafter(1.0, 2.0), half}), 1.0 + 4 * half);
  EXPECT_EQ(sum_of({-1.0, -half, -tiny}), -std::nextafter(1.0, 2.0));
}

TEST(BinnedSum, NothingIsAPositiveZero) {
  for (const auto& values : std::vector<std::vector<double>>{{}, {-0.0}, {-0.0, -0.0}, {1.5, -1.5}})
    EXPECT_TRUE(have_same_bits(sum_of(values), 0.0));
}

TEST(BinnedSum, EveryExponentAlone) {
  for (int exponent = -1074; exponent < 1024; ++exponent) {
    for (const double fraction : {1.0, 1.9999999999999998, -1.0, -1.6180339887498949}) {
      const double value = std::ldexp(fraction, exponent);
      ASSERT_EQ(sum_of({value}), value);
      ASSERT_EQ(sum_of({value, value / 4, -value / 4}), value);
    }
  }
}

TEST(BinnedSum, InfinitiesAndNaN) {
  const double infinity = Limits::infinity();
  for (const std::size_t others : {0U, 3U, 9000U}) {
    const auto with = [&](std::vector<double> values) {
      values.resize(values.size() + others, 1.25);
      std::mt19937_64 random(3);
      std::ranges::shuffle(values, random);
      return sum_of(values);
    };
    EXPECT_EQ(with({infinity}), infinity);
    EXPECT_EQ(with({-infinity, -infinity}), -infinity);
    EXPECT_TRUE(std::isnan(with({infinity, -infinity})));
    EXPECT_TRUE(std::isnan(with({std::nan("")})));
    EXPECT_TRUE(std::isnan(with({-std::nan(""), infinity})));
  }
  BinnedSum infinite = one_by_one(std::vector{infinity});
  EXPECT_FALSE(infinite.is_nan());
  infinite += one_by_one(std::vector{-infinity});
  EXPECT_TRUE(infinite.is_nan());
}

TEST(BinnedSum, MeansOfSumsThatAreTooLarge) {
  constexpr double most = Limits::max();
  for (const int count : {1, 2, 3, 5, 7, 1000}) {
    const BinnedSum sum = in_blocks(std::vector<double>(static_cast<std::size_t>(count), -most));
    EXPECT_DOUBLE_EQ(sum.mean(count), -most) << count;
  }
  EXPECT_EQ(one_by_one(std::vector{HUGE_VAL}).mean(2), HUGE_VAL);
  EXPECT_TRUE(std::isnan(one_by_one(std::vector{HUGE_VAL, -HUGE_VAL}).mean(2)));
  EXPECT_EQ(one_by_one(std::vector{1.5}).mean(3), 0.5);
  EXPECT_EQ(one_by_one(std::vector{1.5}).value(-1), 0.75);
}

// As many numbers as nobody adds: doubled, until units need more than 64 bits.
TEST(BinnedSum, HasRoomForManyNumbers) {
  BinnedSum sum = in_blocks(std::vector{1.0 / 3, std::ldexp(0.1, -40), -7.0});
  const double one = sum.value();
  for (int doubling = 1; doubling <= 50; ++doubling) {
    sum += BinnedSum(sum);
    ASSERT_EQ(sum.value(), std::ldexp(one, doubling));
  }
}

TEST(BinnedSum, ProductsAreRoundedAndThenAdded) {
  Numbers numbers(5);
  for (const Kind& kind : kinds) {
    const std::vector<double> a = numbers.some(kind, 9001);
    const std::vector<double> b = numbers.some(kinds.front(), 9001);
    std::vector<double> products(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      const volatile double product = a[i] * b[i];
      products[i] = product;
    }
    BinnedSum dot;
    dot.add_products(a, b);
    EXPECT_EQ(dot, one_by_one(products)) << kind.name;
    // In two parts, of which one begins nowhere in particular.
    BinnedSum parts;
    const std::span<const double> left(a), right(b);
    parts.add_products(left.subspan(4321), right.subspan(4321));
    parts.add_products(left.first(4321), right.first(4321));
    EXPECT_EQ(parts, dot) << kind.name;
  }
}

}  // namespace
}  // namespace cartwright::comm
