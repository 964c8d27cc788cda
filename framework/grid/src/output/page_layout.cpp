// SPDX-License-Identifier: Apache-2.0
#include "page_layout.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "axis_numbers.hpp"

namespace cartwright::grid {

std::string headline(const Slice& slice, const PictureText& words) {
  std::string title = words.title.empty() ? words.field : words.title + ":  " + words.field;
  if (slice.plane)
    title += fmt::format("  at {} = {:.4g} {}", axis_letter(slice.plane->axis),
                         slice.plane->position, words.length_unit);
  return title;
}

std::string time_words(const PictureText& words) {
  if (words.time_unit.empty()) return {};
  return fmt::format("t = {:.6g} {}", words.time, words.time_unit);
}

std::string step_words(const PictureText& words) {
  return fmt::format("{} {}", words.time_unit.empty() ? "iteration" : "step", words.step);
}

namespace {

// In pixels.
constexpr double long_tick = 6, short_tick = 4;
constexpr double number_gap = 9;        // from the plot to numbers beside it
constexpr double number_drop = 17;      // to the middle of those below it
constexpr double horizontal_room = 85;  // for a number, and what separates it from the next
constexpr double vertical_room = 45;

void draw_tick(Canvas& canvas, const PageAxis& axis, const Canvas::Rectangle& area, double at,
               const std::string& number) {
  using Align = Canvas::Align;
  const double length = number.empty() ? short_tick : long_tick;
  const double middle = std::floor(at) + 0.5;  // of a pixel: one, not two that are half as dark
  if (axis.side == PageAxis::Side::below) {
    canvas.thin_line(std::array{middle, middle}, std::array{area.bottom, area.bottom - length});
    canvas.text(at, area.bottom - number_drop, number, status_size, Align::centre);
    return;
  }
  const bool is_left = axis.side == PageAxis::Side::left;
  const double edge = is_left ? area.left : area.right, out = is_left ? -1 : 1;
  canvas.thin_line(std::array{edge, edge + out * length}, std::array{middle, middle});
  canvas.text(edge + out * number_gap, at, number, status_size,
              is_left ? Align::right : Align::left);
}

}  // namespace

void draw_axis(Canvas& canvas, const PageAxis& axis, const Canvas::Rectangle& area) {
  const bool is_below = axis.side == PageAxis::Side::below;
  const double begin = is_below ? area.left : area.bottom;
  const double pixels = is_below ? area.right - area.left : area.top - area.bottom;
  const AxisNumbers numbers =
      axis_numbers(axis.range, pixels / (is_below ? horizontal_room : vertical_room));
  for (const AxisNumbers::Tick& tick : numbers.ticks) {
    const double part = (0.5 * tick.value - 0.5 * axis.range.lower) /
                        (0.5 * axis.range.upper - 0.5 * axis.range.lower);
    const double at = begin + part * pixels;
    canvas.whole_page();
    if (axis.has_grid && !tick.number.empty()) canvas.faint_line(area, at, is_below);
    draw_tick(canvas, axis, area, at, tick.number);
  }
  const std::string label = numbers.label(axis.name, axis.unit);
  const double middle = begin + 0.5 * pixels;
  if (is_below)
    canvas.text(middle, area.bottom - label_drop, label, label_size, Canvas::Align::centre);
  else
    canvas.text(axis.side == PageAxis::Side::left ? area.left - label_shift
                                                  : area.right + label_shift + number_gap,
                middle, label, label_size, Canvas::Align::centre, true);
}

}  // namespace cartwright::grid
