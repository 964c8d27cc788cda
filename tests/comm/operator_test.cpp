// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cartwright/comm/elements/operator.hpp>
#include <string>

namespace cartwright::comm {
namespace {

TEST(ScalarType, KnowsArithmeticTypes) {
  EXPECT_EQ(scalar_type<bool>(), ScalarType::boolean);
  EXPECT_EQ(scalar_type<char>(), ScalarType::int8);
  EXPECT_EQ(scalar_type<unsigned char>(), ScalarType::uint8);
  EXPECT_EQ(scalar_type<int>(), ScalarType::int32);
  EXPECT_EQ(scalar_type<long>(), ScalarType::int64);
  EXPECT_EQ(scalar_type<long long>(), ScalarType::int64);
  EXPECT_EQ(scalar_type<std::size_t>(), ScalarType::uint64);
  EXPECT_EQ(scalar_type<std::complex<double>>(), ScalarType::complex128);
  EXPECT_EQ(size_of(ScalarType::boolean), sizeof(bool));
  EXPECT_EQ(size_of(scalar_type<long double>()), sizeof(long double));
  EXPECT_EQ(size_of(scalar_type<std::complex<float>>()), 8U);
  EXPECT_EQ(size_of(scalar_type<short>()), 2U);
  static_assert(!Reducible<std::string> && !Reducible<int*>);
}

TEST(Operator, IsDefinedWhereItMakesSense) {
  EXPECT_TRUE(is_defined(Operator::sum, ScalarType::complex64));
  EXPECT_FALSE(is_defined(Operator::minimum, ScalarType::complex64));
  EXPECT_FALSE(is_defined(Operator::sum, ScalarType::boolean));
  EXPECT_TRUE(is_defined(Operator::maximum, ScalarType::boolean));
  EXPECT_FALSE(is_defined(Operator::logical_and, ScalarType::float64));
  EXPECT_TRUE(is_defined(Operator::bit_xor, ScalarType::uint16));
  EXPECT_EQ(name(Operator::logical_or), "logical or");
}

}  // namespace
}  // namespace cartwright::comm
