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

/// What comes of calculating with some values: a number, or a pack where one of them is a pack or
/// what a view of a field gives for one.
template <class... Values>
struct CalculatedFrom {};
template <RealNumber... Values>
struct CalculatedFrom<Values...> : std::common_type<Values...> {};
#ifdef CARTWRIGHT_PACKS
template <class... Values>
concept SomePack =
    !(RealNumber<Values> && ...) &&
    std::experimental::is_simd_v<decltype((std::declval<const Values&>() + ... + 0.0))>;

template <class... Values>
requires SomePack<Values...>
struct CalculatedFrom<Values...> {
  using type = decltype((std::declval<const Values&>() + ... + 0.0));
};
#endif
template <class... Values>
using Calculated = typename CalculatedFrom<Values...>::type;

/// Numbers and packs of them.
template <class... Values>
concept Calculable = requires {
  typename Calculated<Values...>;
};

/// `function` of numbers; of packs (and of numbers beside them) a pack of what it is for each of
/// their points: for functions that have no name here.
template <class Function, RealNumber... Values>
KOKKOS_FORCEINLINE_FUNCTION auto elementwise(const Function& function, const Values&... values) {
  return function(values...);
}
#ifdef CARTWRIGHT_PACKS
template <class Function, class... Values>
requires SomePack<Values...> KOKKOS_FORCEINLINE_FUNCTION auto elementwise(const Function& function,
                                                                          const Values&... values) {
  using Pack = Calculated<Values...>;
  const auto of_packs = [&function](const auto&... packs) {
    return Pack([&](auto k) { return function(static_cast<double>(packs[k])...); });
  };
  return of_packs(Pack(values)...);
}
#endif

// Of packs abs and sqrt are those of std::experimental, as their arguments are: exact, and vectors.

/// |x|, of a number or of a pack of them.
template <Calculable T>
KOKKOS_FORCEINLINE_FUNCTION auto abs(const T& x) {
  using std::abs;
  return abs(Calculated<T>(x));
}
/// The square root of a number, or of each in a pack.
template <Calculable T>
KOKKOS_FORCEINLINE_FUNCTION auto sqrt(const T& x) {
  using std::sqrt;
  return sqrt(Calculated<T>(x));
}
/// e^x, of a number or of each in a pack.
template <Calculable T>
KOKKOS_FORCEINLINE_FUNCTION auto exp(const T& x) {
  return elementwise([](auto number) { return std::exp(number); }, x);
}
/// The natural logarithm of a number, or of each in a pack.
template <Calculable T>
KOKKOS_FORCEINLINE_FUNCTION auto log(const T& x) {
  return elementwise([](auto number) { return std::log(number); }, x);
}
/// The sine of an angle in radians, or of each in a pack.
template <Calculable T>
KOKKOS_FORCEINLINE_FUNCTION auto sin(const T& x) {
  return elementwise([](auto number) { return std::sin(number); }, x);
}
/// The cosine of an angle in radians, or of each in a pack.
template <Calculable T>
KOKKOS_FORCEINLINE_FUNCTION auto cos(const T& x) {
  return elementwise([](auto number) { return std::cos(number); }, x);
}
/// base^exponent, of numbers or packs of them.
template <class T, class U>
requires Calculable<T, U> KOKKOS_FORCEINLINE_FUNCTION auto pow(const T& base, const U& exponent) {
  return elementwise([](auto b, auto e) { return std::pow(b, e); }, base, exponent);
}
/// The smaller of two numbers, `a` where none is; of packs, number by number.
template <class T, class U>
requires Calculable<T, U> KOKKOS_FORCEINLINE_FUNCTION Calculated<T, U> min(const T& a, const U& b) {
  const Calculated<T, U>&first = a, &second = b;
  return choose(second < first, second, first);
}
/// The larger of two numbers, `a` where none is; of packs, number by number.
template <class T, class U>
requires Calculable<T, U> KOKKOS_FORCEINLINE_FUNCTION Calculated<T, U> max(const T& a, const U& b) {
  const Calculated<T, U>&first = a, &second = b;
  return choose(first < second, second, first);
}

}  // namespace cartwright::grid
