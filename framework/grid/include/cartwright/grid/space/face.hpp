// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace cartwright::grid {

enum class Side : int { low = 0, high = 1 };

/// One of the 2 D faces of a block: where an axis begins or ends.
struct Face {
  int axis = 0;
  Side side = Side::low;

  /// 0 … 2 D - 1: x_low, x_high, y_low, …
  [[nodiscard]] constexpr int number() const { return 2 * axis + static_cast<int>(side); }
  [[nodiscard]] static constexpr Face from_number(int number) {
    return {number / 2, static_cast<Side>(number % 2)};
  }
  [[nodiscard]] constexpr bool is_low() const { return side == Side::low; }
  /// "x_low" … "z_high": the names that decks and messages use.
  [[nodiscard]] std::string name() const {
    return std::string(1, static_cast<char>('x' + axis)) + (is_low() ? "_low" : "_high");
  }
  friend constexpr bool operator==(const Face&, const Face&) = default;
};

}  // namespace cartwright::grid
