// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/elements/user_operator.hpp>
#include <cstdint>
#include <type_traits>

namespace cartwright::comm {

/// A value and where it was found: a cell, a rank, whatever the caller counts.
template <class T>
requires std::is_arithmetic_v<T>
struct Located {
  T value{};
  std::int64_t place = 0;
  friend bool operator==(const Located&, const Located&) = default;
};

namespace detail {

/// Of equal values that of the lowest place; one that is not a number wins over all: so the order
/// never matters.
template <bool Least>
struct Extreme {
  static constexpr bool is_exact = true;
  template <class T>
  Located<T> operator()(const Located<T>& a, const Located<T>& b) const {
    const bool a_is_none = a.value != a.value;
    const bool b_is_none = b.value != b.value;
    if (a_is_none != b_is_none) return a_is_none ? a : b;
    if (a_is_none || a.value == b.value) return b.place < a.place ? b : a;
    return (a.value < b.value) == Least ? a : b;
  }
};

}  // namespace detail

/// The least, or the greatest, of `Located` values, and where it is; of equal ones the lowest
/// place. (MPI_MINLOC, MPI_MAXLOC.)
///
///     const auto hottest = cart.allreduce(comm::Located<double>{here, cell}, comm::greatest);
inline constexpr UserOperator<detail::Extreme<true>, true> least{};
inline constexpr UserOperator<detail::Extreme<false>, true> greatest{};

}  // namespace cartwright::comm
