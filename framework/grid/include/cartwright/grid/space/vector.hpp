// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/elements/both_sides.hpp>
#include <type_traits>

namespace cartwright::grid {

/// A small vector of numbers: positions, velocities, and the elements of vector fields.
template <class T, int N>
struct Vector {
  T component[N];

  CARTWRIGHT_BOTH_SIDES constexpr T& operator[](int i) { return component[i]; }
  CARTWRIGHT_BOTH_SIDES constexpr const T& operator[](int i) const { return component[i]; }

  friend CARTWRIGHT_BOTH_SIDES constexpr Vector operator+(Vector a, const Vector& b) {
    for (int i = 0; i < N; ++i) a[i] += b[i];
    return a;
  }
  friend CARTWRIGHT_BOTH_SIDES constexpr Vector operator-(Vector a, const Vector& b) {
    for (int i = 0; i < N; ++i) a[i] -= b[i];
    return a;
  }
  friend CARTWRIGHT_BOTH_SIDES constexpr Vector operator*(T factor, Vector a) {
    for (int i = 0; i < N; ++i) a[i] *= factor;
    return a;
  }
  friend CARTWRIGHT_BOTH_SIDES constexpr Vector operator*(Vector a, T factor) { return factor * a; }
  friend CARTWRIGHT_BOTH_SIDES constexpr Vector operator/(Vector a, T divisor) {
    for (int i = 0; i < N; ++i) a[i] /= divisor;
    return a;
  }
  friend CARTWRIGHT_BOTH_SIDES constexpr Vector operator-(Vector a) { return T(-1) * a; }
  CARTWRIGHT_BOTH_SIDES constexpr Vector& operator+=(const Vector& b) { return *this = *this + b; }
  CARTWRIGHT_BOTH_SIDES constexpr Vector& operator-=(const Vector& b) { return *this = *this - b; }
  CARTWRIGHT_BOTH_SIDES constexpr Vector& operator*=(T factor) { return *this = *this * factor; }
  CARTWRIGHT_BOTH_SIDES constexpr Vector& operator/=(T divisor) { return *this = *this / divisor; }
  // Written out: a defaulted one would be refused where T is a pack, which nobody compares.
  friend CARTWRIGHT_BOTH_SIDES constexpr bool operator==(const Vector& a, const Vector& b) {
    for (int i = 0; i < N; ++i)
      if (!(a[i] == b[i])) return false;
    return true;
  }
};

/// Field<Arrays<Vector<double, 19>>, 3>: each component lies in an array of its own, which is what
/// devices want, and hosts for many components of which a kernel reads some. Kernels don't see it:
/// `u(i)` is an element that can be read, set and asked for a component, as any other. (A copy of
/// it is `const Vector<double, 19> own = u(i)`: with `auto` it stays where it is.)
template <class V>
struct Arrays {};

/// What a field's element consists of: an arithmetic type, or a Vector of one. Of other types
/// `are_numbers` is false, and the rest makes sure that a refused field has one error.
template <class T>
struct ElementTraits {
  using Element = T;
  static constexpr bool in_arrays = false;
  static constexpr bool are_numbers =
      std::is_arithmetic_v<T> && !std::is_same_v<T, bool> && sizeof(T) <= 8;
  using Scalar = std::conditional_t<are_numbers, T, double>;
  static constexpr int components = 1;
};
template <class T, int N>
struct ElementTraits<Vector<T, N>> {
  using Element = Vector<T, N>;
  static constexpr bool in_arrays = false;
  static constexpr bool are_numbers = ElementTraits<T>::are_numbers;
  using Scalar = typename ElementTraits<T>::Scalar;
  static constexpr int components = N;
};

template <class T, int N>
struct ElementTraits<Arrays<Vector<T, N>>> : ElementTraits<Vector<T, N>> {
  static constexpr bool in_arrays = true;
};
/// What kernels see of a Field<T, D>'s point: T, or the Vector of Arrays<Vector>.
template <class T>
using ElementOf = typename ElementTraits<std::remove_const_t<T>>::Element;
template <class T>
inline constexpr bool is_in_arrays = ElementTraits<std::remove_const_t<T>>::in_arrays;

template <class T>
CARTWRIGHT_BOTH_SIDES constexpr auto& component_of(T& element, int i) {
  if constexpr (!ElementTraits<std::remove_const_t<T>>::are_numbers)
    return *static_cast<double*>(nullptr);  // never run: Field refuses such elements
  else if constexpr (std::is_arithmetic_v<std::remove_const_t<T>>)
    return element;
  else
    return element[i];
}

}  // namespace cartwright::grid
