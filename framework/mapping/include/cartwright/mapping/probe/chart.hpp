// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/models/fit.hpp>
#include <string>
#include <vector>

namespace cartwright::mapping {

/// Points of a chart: measured ones as dots, computed ones as a line.
struct ChartSeries {
  std::string name;
  std::vector<plan::fits::Point> points;
  bool is_line = false;
  bool is_dashed = false;
  bool is_marked = false;  ///< a line with a dot at each point
  double width = 1.6;      ///< of a line, in pixels
};

struct ChartAxis {
  std::string label;  ///< with its unit
  bool logarithmic = false;
  bool doubles = false;  ///< logarithmic, with ticks at powers of two where these are few
};

/// A picture of samples and fits as SVG.
struct Chart {
  std::string title;
  std::string note;  ///< below the title; may be empty
  ChartAxis x, y;
  std::vector<ChartSeries> series;
  bool legend_is_beside = false;  ///< right of the axes, not in them

  /// Points that are not finite, or not positive on a logarithmic axis, are left out.
  [[nodiscard]] std::string svg() const;
};

/// Several as one picture.
[[nodiscard]] std::string svg_below_each_other(const std::vector<Chart>& charts);

}  // namespace cartwright::mapping
