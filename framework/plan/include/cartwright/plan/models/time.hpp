// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>

namespace cartwright::plan {

/// A time or a duration on a modelled machine, in picoseconds: sums are exact and the same
/// everywhere.
using Picoseconds = std::int64_t;

inline Picoseconds picoseconds(double seconds) {
  return std::llround(seconds * 1e12);
}
inline double seconds(Picoseconds time) {
  return static_cast<double>(time) * 1e-12;
}

}  // namespace cartwright::plan
