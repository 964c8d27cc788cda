// SPDX-License-Identifier: Apache-2.0
#include <cartwright/comm/elements/scalar_type.hpp>
#include <complex>

namespace cartwright::comm {

std::string_view name(ScalarType type) noexcept {
  constexpr std::string_view names[] = {
      "truth value",    "8-bit integer",   "16-bit integer",  "32-bit integer",  "64-bit integer",
      "8-bit unsigned", "16-bit unsigned", "32-bit unsigned", "64-bit unsigned", "float",
      "double",         "long double",     "complex float",   "complex double"};
  return names[static_cast<std::size_t>(type)];
}

std::size_t size_of(ScalarType type) noexcept {
  using enum ScalarType;
  switch (type) {
    case boolean:
      return sizeof(bool);
    case int8:
    case uint8:
      return 1;
    case int16:
    case uint16:
      return 2;
    case int32:
    case uint32:
    case float32:
      return 4;
    case long_double:
      return sizeof(long double);
    case complex128:
      return sizeof(std::complex<double>);
    default:
      return 8;
  }
}

}  // namespace cartwright::comm
