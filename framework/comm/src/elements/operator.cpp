// SPDX-License-Identifier: Apache-2.0
#include <cartwright/comm/elements/operator.hpp>

namespace cartwright::comm {

namespace {

enum class Kind { boolean, integer, real, complex };

Kind kind(ScalarType type) noexcept {
  using enum ScalarType;
  switch (type) {
    case boolean:
      return Kind::boolean;
    case float32:
    case float64:
    case long_double:
      return Kind::real;
    case complex64:
    case complex128:
      return Kind::complex;
    default:
      return Kind::integer;
  }
}

}  // namespace

std::string_view name(Operator op) noexcept {
  using enum Operator;
  switch (op) {
    case sum:
      return "sum";
    case product:
      return "product";
    case minimum:
      return "minimum";
    case maximum:
      return "maximum";
    case logical_and:
      return "logical and";
    case logical_or:
      return "logical or";
    case logical_xor:
      return "logical exclusive or";
    case bit_and:
      return "bitwise and";
    case bit_or:
      return "bitwise or";
    case bit_xor:
      return "bitwise exclusive or";
  }
  return "unknown";
}

bool is_defined(Operator op, ScalarType type) noexcept {
  const Kind of = kind(type);
  switch (op) {
    case Operator::sum:
    case Operator::product:
      return of != Kind::boolean;
    case Operator::minimum:
    case Operator::maximum:
      return of != Kind::complex;
    default:
      return of == Kind::boolean || of == Kind::integer;
  }
}

}  // namespace cartwright::comm
