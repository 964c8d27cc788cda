// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "../common/statistics.hpp"

namespace cartwright::bench {

/// A row of the picture: one pattern, and by contestant the time after the last arrival, in s.
struct PlotRow {
  std::string pattern;
  std::vector<std::pair<std::string, Summary>> times;
};

/// A picture of all rows: dots at medians on a logarithmic axis, lines between the quartiles.
[[nodiscard]] std::string arrivals_svg(const std::string& title, const std::vector<PlotRow>& rows);

}  // namespace cartwright::bench
