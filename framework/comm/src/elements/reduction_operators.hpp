// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cartwright/comm/elements/scalar_type.hpp>
#include <concepts>
#include <cstdint>
#include <type_traits>

/// What each operator does to two elements, for the types it is defined for.
namespace cartwright::comm::elementwise {

template <class T>
concept Complex = detail::IsComplex<T>::value;
template <class T>
concept Number = Reducible<T> && !std::same_as<T, bool>;
template <class T>
concept Ordered = Reducible<T> && !Complex<T>;
template <class T>
concept Bits = std::integral<T>;

/// Integers wrap around, as MPI's do: unsigned arithmetic of at least an int's width, in which
/// nothing overflows.
template <class T, class Apply>
[[gnu::always_inline]] inline T wrapping(T left, T right, Apply apply) {
  if constexpr (std::integral<T>) {
    using Wide =
        std::conditional_t<(sizeof(T) > sizeof(std::uint32_t)), std::uint64_t, std::uint32_t>;
    return static_cast<T>(apply(static_cast<Wide>(left), static_cast<Wide>(right)));
  } else {
    return apply(left, right);
  }
}

struct Sum {
  template <Number T>
  [[gnu::always_inline]] static T of(T left, T right) {
    return wrapping(left, right, [](auto a, auto b) { return a + b; });
  }
};
struct Product {
  template <Number T>
  [[gnu::always_inline]] static T of(T left, T right) {
    return wrapping(left, right, [](auto a, auto b) { return a * b; });
  }
};
// Where neither is less (or one is not a number): the left one.
struct Minimum {
  template <Ordered T>
  [[gnu::always_inline]] static T of(T left, T right) {
    return right < left ? right : left;
  }
};
struct Maximum {
  template <Ordered T>
  [[gnu::always_inline]] static T of(T left, T right) {
    return right > left ? right : left;
  }
};
struct LogicalAnd {
  template <Bits T>
  [[gnu::always_inline]] static T of(T left, T right) {
    return static_cast<T>(static_cast<int>(left != T{}) & static_cast<int>(right != T{}));
  }
};
struct LogicalOr {
  template <Bits T>
  [[gnu::always_inline]] static T of(T left, T right) {
    return static_cast<T>(static_cast<int>(left != T{}) | static_cast<int>(right != T{}));
  }
};
struct LogicalXor {
  template <Bits T>
  [[gnu::always_inline]] static T of(T left, T right) {
    return static_cast<T>((left != T{}) != (right != T{}));
  }
};
struct BitAnd {
  template <Bits T>
  [[gnu::always_inline]] static T of(T left, T right) {
    return static_cast<T>(left & right);
  }
};
struct BitOr {
  template <Bits T>
  [[gnu::always_inline]] static T of(T left, T right) {
    return static_cast<T>(left | right);
  }
};
struct BitXor {
  template <Bits T>
  [[gnu::always_inline]] static T of(T left, T right) {
    return static_cast<T>(left ^ right);
  }
};

}  // namespace cartwright::comm::elementwise
