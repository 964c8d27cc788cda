// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/calls/strided.hpp>
#include <optional>

namespace cartwright::comm {

/// Elements of a target's memory, counted from its begin: as many as the caller's values from
/// `offset` on, or every stride. Both are in elements.
struct Slice {
  Slice(plan::Count first) : offset(first) {}  // NOLINT(google-explicit-constructor): put(1, 7, x)
  Slice(plan::Count first, Strides pattern) : offset(first), strides(pattern) {}

  plan::Count offset = 0;
  std::optional<Strides> strides{};
};

/// How many elements the memory of a window has. Throws rt::Error where they don't lie one behind
/// the other.
[[nodiscard]] plan::Count elements_of_memory(const Strides& strides);

/// The new value takes the place of the old one, atomically.
struct Replace {};
inline constexpr Replace replace{};

}  // namespace cartwright::comm
