// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/elements/scalar_type.hpp>
#include <string_view>

namespace cartwright::comm {

/// How a reduction combines two values. All are associative and commutative, up to rounding.
enum class Operator {
  sum,
  product,
  minimum,
  maximum,
  logical_and,
  logical_or,
  logical_xor,
  bit_and,
  bit_or,
  bit_xor,
};

[[nodiscard]] std::string_view name(Operator op) noexcept;

/// Numbers: sum, product. Ordered numbers: minimum, maximum. Integers and truth values: logical and
/// bit operators; truth values also minimum and maximum (and, or), but have no sum or product.
[[nodiscard]] bool is_defined(Operator op, ScalarType type) noexcept;

}  // namespace cartwright::comm
