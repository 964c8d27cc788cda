// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

namespace cartwright::comm {

/// What a collective's elements are: known at run time, so that backends need no templates.
enum class ScalarType {
  boolean,
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  float32,
  float64,
  long_double,
  complex64,
  complex128,
};

namespace detail {
template <class T>
struct IsComplex : std::bool_constant<std::same_as<T, std::complex<float>> ||
                                      std::same_as<T, std::complex<double>>> {};
}  // namespace detail

/// Arithmetic types and complex numbers: what can be reduced.
template <class T>
concept Reducible = std::is_arithmetic_v<T> || detail::IsComplex<T>::value;

template <Reducible T>
[[nodiscard]] consteval ScalarType scalar_type() {
  using enum ScalarType;
  if constexpr (std::same_as<T, bool>)
    return boolean;
  else if constexpr (std::same_as<T, std::complex<float>>)
    return complex64;
  else if constexpr (std::same_as<T, std::complex<double>>)
    return complex128;
  else if constexpr (std::same_as<T, float>)
    return float32;
  else if constexpr (std::same_as<T, double>)
    return float64;
  else if constexpr (std::same_as<T, long double>)
    return long_double;
  else {  // char, wchar_t and the like are integers of their size
    constexpr bool is_signed = std::is_signed_v<T>;
    if constexpr (sizeof(T) == 1)
      return is_signed ? int8 : uint8;
    else if constexpr (sizeof(T) == 2)
      return is_signed ? int16 : uint16;
    else if constexpr (sizeof(T) == 4)
      return is_signed ? int32 : uint32;
    else
      return is_signed ? int64 : uint64;
  }
}

/// "double", "truth value".
[[nodiscard]] std::string_view name(ScalarType type) noexcept;
/// In bytes.
[[nodiscard]] std::size_t size_of(ScalarType type) noexcept;
/// Integers and truth values.
[[nodiscard]] constexpr bool is_integral(ScalarType type) noexcept {
  return type < ScalarType::float32;
}

/// Elements in memory, contiguous; type-erased.
struct Values {
  void* data = nullptr;
  std::size_t count = 0;
  ScalarType type = ScalarType::uint8;
};

template <Reducible T>
[[nodiscard]] Values values(std::span<T> elements) {
  return {elements.data(), elements.size(), scalar_type<T>()};
}

}  // namespace cartwright::comm
