// SPDX-License-Identifier: Apache-2.0
// Functions of numbers and of packs of them, for kernels that run in_packs(): packs have the bits
// that their numbers have one by one, which a library's own functions of vectors don't promise.
#pragma once

#include <cartwright/grid/kernels/pack.hpp>
#include <cmath>
#include <type_traits>

namespace cartwright::grid {

template <class T>
concept RealNumber = std::is_arithmetic_v<T>;

#ifdef CARTWRIGHT_PACKS
/// What comes of calculating with some numbers and packs of them, or with what views of fields
/// give.
template <class... Values>
using Calculated = decltype((std::declval<const Values&>() + ... + 0.0));

/// Some numbers of which one at least is a pack, or what a view gives for one.
template <class... Values>
concept SomePack =
    !(std::is_arithmetic_v<Values> && ...) && std::experimental::is_simd_v<Calculated<Values...>>;
#endif

/// `function` of numbers; of packs (and of numbers beside them) a pack of what it is for each of
/// their points: for functions that have no name here.
template <class Function, RealNumber... Values>
KOKKOS_FORCEINLINE_FUNCTION auto elementwise(const Function& function, Values... values) {
  return function(values...);
}
#ifdef CARTWRIGHT_PACKS
template <class Function, class... Values>
requires SomePack<Values...>
[[gnu::always_inline]] inline auto elementwise(const Function& function, const Values&... values) {
  using Pack = Calculated<Values...>;
  const auto of_packs = [&function](const auto&... packs) {
    return Pack([&](auto k) { return function(static_cast<double>(packs[k])...); });
  };
  return of_packs(Pack(values)...);
}
#endif

/// |x|, of a number or of a pack of them.
template <RealNumber T>
KOKKOS_FORCEINLINE_FUNCTION auto abs(T x) {
  return std::abs(x);
}
/// The square root of a number, or of each in a pack.
template <RealNumber T>
KOKKOS_FORCEINLINE_FUNCTION auto sqrt(T x) {
  return std::sqrt(x);
}
/// e^x, of a number or of each in a pack.
template <RealNumber T>
KOKKOS_FORCEINLINE_FUNCTION auto exp(T x) {
  return std::exp(x);
}
/// The natural logarithm of a number, or of each in a pack.
template <RealNumber T>
KOKKOS_FORCEINLINE_FUNCTION auto log(T x) {
  return std::log(x);
}
/// The sine of an angle in radians, or of each in a pack.
template <RealNumber T>
KOKKOS_FORCEINLINE_FUNCTION auto sin(T x) {
  return std::sin(x);
}
/// The cosine of an angle in radians, or of each in a pack.
template <RealNumber T>
KOKKOS_FORCEINLINE_FUNCTION auto cos(T x) {
  return std::cos(x);
}
/// base^exponent, of numbers or packs of them.
template <RealNumber T, RealNumber U>
KOKKOS_FORCEINLINE_FUNCTION auto pow(T base, U exponent) {
  return std::pow(base, exponent);
}
/// The smaller of two numbers, `a` where none is; of packs, number by number.
template <RealNumber T, RealNumber U>
KOKKOS_FORCEINLINE_FUNCTION std::common_type_t<T, U> min(T a, U b) {
  return b < a ? b : a;
}
/// The larger of two numbers, `a` where none is; of packs, number by number.
template <RealNumber T, RealNumber U>
KOKKOS_FORCEINLINE_FUNCTION std::common_type_t<T, U> max(T a, U b) {
  return a < b ? b : a;
}

#ifdef CARTWRIGHT_PACKS
template <SomePack T>
[[gnu::always_inline]] inline auto abs(const T& x) {
  return std::experimental::abs(Calculated<T>(x));
}
template <SomePack T>
[[gnu::always_inline]] inline auto sqrt(const T& x) {
  return std::experimental::sqrt(Calculated<T>(x));
}
template <SomePack T>
[[gnu::always_inline]] inline auto exp(const T& x) {
  return elementwise([](double number) { return std::exp(number); }, x);
}
template <SomePack T>
[[gnu::always_inline]] inline auto log(const T& x) {
  return elementwise([](double number) { return std::log(number); }, x);
}
template <SomePack T>
[[gnu::always_inline]] inline auto sin(const T& x) {
  return elementwise([](double number) { return std::sin(number); }, x);
}
template <SomePack T>
[[gnu::always_inline]] inline auto cos(const T& x) {
  return elementwise([](double number) { return std::cos(number); }, x);
}
template <class T, class U>
requires SomePack<T, U>
[[gnu::always_inline]] inline auto pow(const T& base, const U& exponent) {
  return elementwise([](double b, double e) { return std::pow(b, e); }, base, exponent);
}
template <class T, class U>
requires SomePack<T, U>
[[gnu::always_inline]] inline auto min(const T& a, const U& b) {
  const Calculated<T, U>&first = a, &second = b;
  return choose(second < first, second, first);
}
template <class T, class U>
requires SomePack<T, U>
[[gnu::always_inline]] inline auto max(const T& a, const U& b) {
  const Calculated<T, U>&first = a, &second = b;
  return choose(first < second, second, first);
}
#endif

}  // namespace cartwright::grid
