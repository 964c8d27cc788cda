// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/output/picture.hpp>

#include <string>
#include <vector>

namespace cartwright::grid {

/// The ticks of an axis and the numbers beside them, told apart whatever they are: where they are
/// huge or tiny a power of ten goes into the axis' unit, and what all have in common is taken off.
struct AxisNumbers {
  struct Tick {
    double value = 0;
    std::string number;  ///< empty: a short tick without one
  };
  std::vector<Tick> ticks;
  double offset = 0;  ///< what was taken off
  int exponent = 0;   ///< numbers stand in units of ten to this power

  /// "y  [10⁻³ m]", "temperature − 300  [K]"
  [[nodiscard]] std::string label(const std::string& name, const std::string& unit) const;
};

/// About `most` numbers within the range.
[[nodiscard]] AxisNumbers axis_numbers(ValueRange range, double most);

}  // namespace cartwright::grid
