// SPDX-License-Identifier: Apache-2.0
// Where things lie on the page of a picture, in pixels; y upwards.
#pragma once

#include <cartwright/grid/output/picture.hpp>

#include <string>

#include "canvas.hpp"

namespace cartwright::grid {

constexpr double left_margin = 88;
constexpr double bottom_margin = 66;
constexpr double top_margin = 74;
constexpr double title_lift = 44;   ///< above the plot, as what follows
constexpr double status_lift = 18;  ///< time and step
constexpr double label_drop = 46;   ///< of the horizontal axis' label below the plot
constexpr double label_shift = 64;  ///< of a vertical axis' label, to the side

constexpr double title_size = 17;
constexpr double label_size = 14;
constexpr double status_size = 13;

[[nodiscard]] constexpr char axis_letter(int axis) {
  return static_cast<char>('x' + axis);
}

/// "heat:  temperature  at z = 0.5 m"
[[nodiscard]] std::string headline(const Slice& slice, const PictureText& words);
/// "t = 0.1 s"; empty where there is no time.
[[nodiscard]] std::string time_words(const PictureText& words);
/// "step 100", "iteration 7"
[[nodiscard]] std::string step_words(const PictureText& words);

/// An axis with ticks, numbers and a label, outside of a plot.
struct PageAxis {
  enum class Side { below, left, right };
  Side side = Side::below;
  ValueRange range;
  std::string name, unit;
  bool has_grid = false;  ///< faint lines across the plot
};
void draw_axis(Canvas& canvas, const PageAxis& axis, const Canvas::Rectangle& area);

}  // namespace cartwright::grid
