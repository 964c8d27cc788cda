// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cartwright/comm/elements/binned_sum.hpp>
#include <cartwright/grid/space/vector.hpp>
#include <complex>
#include <concepts>

namespace cartwright::grid {

/// The doubles of which a summand consists; each has a binned sum of its own. Other types
/// (integers, which don't round, and long doubles) have none.
template <class T>
struct BinnedParts {
  static constexpr int count = 0;
};
template <class T>
requires std::same_as<T, double> || std::same_as<T, float>
struct BinnedParts<T> {
  static constexpr int count = 1;
  KOKKOS_INLINE_FUNCTION static double part(const T& value, int) { return value; }
  static void set(T& value, int, double part) { value = static_cast<T>(part); }
};
template <class T>
requires(BinnedParts<T>::count == 1) struct BinnedParts<std::complex<T>> {
  static constexpr int count = 2;
  KOKKOS_INLINE_FUNCTION static double part(const std::complex<T>& value, int i) {
    return reinterpret_cast<const T(&)[2]>(value)[i];  // as the standard allows
  }
  static void set(std::complex<T>& value, int i, double part) {
    reinterpret_cast<T(&)[2]>(value)[i] = static_cast<T>(part);
  }
};
template <class T, int N>
requires(BinnedParts<T>::count == 1) struct BinnedParts<Vector<T, N>> {
  static constexpr int count = N;
  KOKKOS_INLINE_FUNCTION static double part(const Vector<T, N>& value, int i) { return value[i]; }
  static void set(Vector<T, N>& value, int i, double part) { value[i] = static_cast<T>(part); }
};

template <class T>
concept Binned = BinnedParts<T>::count >
0;

/// The sums of all parts of a T.
template <Binned T>
struct BinnedSums {
  static constexpr int count = BinnedParts<T>::count;
  comm::BinnedSum part[count];

  KOKKOS_INLINE_FUNCTION void add(const T& value) {
    for (int i = 0; i < count; ++i) part[i].add(BinnedParts<T>::part(value, i));
  }
  KOKKOS_INLINE_FUNCTION BinnedSums& operator+=(const BinnedSums& other) {
    for (int i = 0; i < count; ++i) part[i] += other.part[i];
    return *this;
  }
  KOKKOS_INLINE_FUNCTION static BinnedSums identity() { return {}; }
  KOKKOS_INLINE_FUNCTION static void join(BinnedSums& into, const BinnedSums& other) {
    into += other;
  }
  [[nodiscard]] bool is_nan() const {
    return std::ranges::any_of(part, [](const comm::BinnedSum& sum) { return sum.is_nan(); });
  }
  [[nodiscard]] T value() const {
    T result{};
    for (int i = 0; i < count; ++i) BinnedParts<T>::set(result, i, part[i].value());
    return result;
  }
};

}  // namespace cartwright::grid
