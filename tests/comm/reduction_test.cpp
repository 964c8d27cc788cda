// SPDX-License-Identifier: Apache-2.0
// The loops of the predefined operators against one element at a time in plain code.
#include <gtest/gtest.h>

#include <array>
#include <cartwright/comm/elements/reduction.hpp>
#include <cartwright/rt/error.hpp>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

namespace cartwright::comm {
namespace {

constexpr Operator all_operators[] = {
    Operator::sum,         Operator::product,    Operator::minimum,     Operator::maximum,
    Operator::logical_and, Operator::logical_or, Operator::logical_xor, Operator::bit_and,
    Operator::bit_or,      Operator::bit_xor};

template <class T>
class ReductionLoops : public ::testing::Test {};
using Types = ::testing::Types<bool, std::int8_t, std::int16_t, std::int32_t, std::int64_t,
                               std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t, float,
                               double, long double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(ReductionLoops, Types);

/// Integers of all sizes, up to the ends of what there is.
template <class T>
T sample(std::uint64_t i) {
  const std::uint64_t bits = (i + 1) * 0x9E3779B97F4A7C15U;
  if constexpr (std::same_as<T, bool>) {
    return (bits >> 40U) % 2 == 0;
  } else if constexpr (std::integral<T>) {
    if (i % 7 == 0) return std::numeric_limits<T>::max();
    if (i % 7 == 1) return std::numeric_limits<T>::min();
    if (i % 7 == 2) return T{};
    return static_cast<T>(bits >> 13U);
  } else if constexpr (detail::IsComplex<T>::value) {
    using Part = typename T::value_type;
    return {static_cast<Part>(bits % 1000) / 7, -static_cast<Part>(bits % 77) / 3};
  } else {
    return static_cast<T>(static_cast<std::int64_t>(bits)) / 3;
  }
}

/// The sum or product of integers in 64 bits, cut to the type's.
template <class T>
T wrapped(Operator op, T a, T b) {
  const auto x = static_cast<std::uint64_t>(a);
  const auto y = static_cast<std::uint64_t>(b);
  return static_cast<T>(op == Operator::sum ? x + y : x * y);
}

template <class T>
T combined(Operator op, T a, T b) {
  const bool is_sum = op == Operator::sum;
  if (is_sum || op == Operator::product) {
    if constexpr (std::same_as<T, bool>)
      return false;
    else if constexpr (std::integral<T>)
      return wrapped(op, a, b);
    else
      return is_sum ? a + b : a * b;
  }
  if constexpr (!detail::IsComplex<T>::value) {
    if (op == Operator::minimum) return std::min(a, b);
    if (op == Operator::maximum) return std::max(a, b);
  }
  if constexpr (std::integral<T>) {
    const bool x = a != T{};
    const bool y = b != T{};
    if (op == Operator::logical_and) return static_cast<T>(x && y);
    if (op == Operator::logical_or) return static_cast<T>(x || y);
    if (op == Operator::logical_xor) return static_cast<T>(x != y);
    if (op == Operator::bit_and) return static_cast<T>(a & b);
    if (op == Operator::bit_or) return static_cast<T>(a | b);
    if (op == Operator::bit_xor) return static_cast<T>(a ^ b);
  }
  ADD_FAILURE();
  return {};
}

constexpr std::size_t longest = 203;
template <class T>
using Samples = std::array<T, longest>;

template <class T>
Samples<T> samples(std::uint64_t seed) {
  Samples<T> numbers{};
  for (std::size_t i = 0; i < longest; ++i) numbers[i] = sample<T>(seed + i * 3);
  return numbers;
}

template <class T>
void check(Operator op, std::size_t first, std::size_t count) {
  const auto left = samples<T>(1);
  const auto right = samples<T>(1000);
  Samples<T> expected = samples<T>(5);
  for (std::size_t i = first; i < first + count; ++i) expected[i] = combined(op, left[i], right[i]);
  const Reduction reduction = predefined(op, scalar_type<T>());
  const auto at = [&](const Samples<T>& numbers) {
    return reinterpret_cast<const std::byte*>(numbers.data() + first);
  };
  const auto into = [&](Samples<T>& numbers) {
    return reinterpret_cast<std::byte*>(numbers.data() + first);
  };
  const auto same = [&](const Samples<T>& numbers) {
    for (std::size_t i = first; i < first + count; ++i)
      if (numbers[i] != expected[i]) return false;
    return true;
  };
  Samples<T> target = samples<T>(5);
  reduction(at(left), at(right), into(target), count);
  EXPECT_EQ(target, expected) << name(op) << " of " << count;
  target = left;
  reduction(at(target), at(right), into(target), count);
  EXPECT_TRUE(same(target)) << name(op) << " into the left one";
  target = right;
  reduction(at(left), at(target), into(target), count);
  EXPECT_TRUE(same(target)) << name(op) << " into the right one";
}

TYPED_TEST(ReductionLoops, DoWhatPlainCodeDoes) {
  for (const Operator op : all_operators) {
    if (!is_defined(op, scalar_type<TypeParam>())) {
      EXPECT_THROW((void)predefined(op, scalar_type<TypeParam>()), rt::Error);
      continue;
    }
    for (const std::size_t count : {0U, 1U, 2U, 3U, 7U, 8U, 15U, 16U, 33U, 64U, 200U})
      for (const std::size_t first : {0U, 1U, 3U}) check<TypeParam>(op, first, count);
  }
}

TEST(PredefinedReduction, SaysWhatItIs) {
  const Reduction sum = predefined(Operator::sum, ScalarType::float64);
  EXPECT_EQ(sum.predefined, Operator::sum);
  EXPECT_TRUE(sum.commutes);
  EXPECT_EQ(sum.mpi_function, nullptr);
}

TEST(PredefinedReduction, DoesNotDependOnWhereVectorsEnd) {
  using Complex = std::complex<float>;
  const auto left = samples<Complex>(1);
  const auto right = samples<Complex>(9);
  const Reduction product = predefined(Operator::product, ScalarType::complex64);
  Samples<Complex> at_once{};
  Samples<Complex> one_by_one{};
  const auto bytes = [](const Complex& value) {
    return reinterpret_cast<const std::byte*>(&value);
  };
  const auto into = [](Complex& value) { return reinterpret_cast<std::byte*>(&value); };
  product(bytes(left[0]), bytes(right[0]), into(at_once[0]), longest);
  for (std::size_t i = 0; i < longest; ++i)
    product(bytes(left[i]), bytes(right[i]), into(one_by_one[i]), 1);
  EXPECT_EQ(std::memcmp(at_once.data(), one_by_one.data(), sizeof at_once), 0);
}

}  // namespace
}  // namespace cartwright::comm
