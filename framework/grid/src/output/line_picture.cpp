// SPDX-License-Identifier: Apache-2.0
#include "line_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "canvas.hpp"
#include "page_layout.hpp"
#include "png_file.hpp"

namespace cartwright::grid {
namespace {

constexpr Canvas::Rectangle plot_area{left_margin, left_margin + 720, bottom_margin,
                                      bottom_margin + 420};
constexpr int page_width = static_cast<int>(plot_area.right + 40);
constexpr int page_height = static_cast<int>(plot_area.top + top_margin);

/// `draw` draws upon a white page.
template <class Draw>
void write_page(const std::filesystem::path& file, const Draw& draw) {
  std::vector<unsigned char> page(std::size_t{3} * page_width * page_height, 255);
  {
    Canvas canvas(page, page_width, page_height);
    draw(canvas);
  }
  write_png(file, page, page_width, page_height);
}

}  // namespace

void draw_line_picture(const std::filesystem::path& file, const Slice& slice, ValueRange range,
                       const PictureText& words) {
  std::vector<double> x;
  x.reserve(slice.values.size());
  const double pixel = (slice.upper[0] - slice.lower[0]) / slice.count[0];
  for (int i = 0; i < slice.count[0]; ++i) x.push_back(slice.lower[0] + (i + 0.5) * pixel);
  const double margin = 0.05 * (range.upper - range.lower);
  write_page(file, [&](Canvas& canvas) {
    const ValueRange along{slice.lower[0], slice.upper[0]};
    const ValueRange upwards{range.lower - margin, range.upper + margin};
    const std::string axis(1, axis_letter(slice.axes[0]));
    draw_axis(canvas, {PageAxis::Side::below, along, axis, words.length_unit, true}, plot_area);
    draw_axis(canvas, {PageAxis::Side::left, upwards, words.field, words.unit, true}, plot_area);
    canvas.window(plot_area, {along.lower, along.upper, upwards.lower, upwards.upper});
    canvas.line(x, slice.values);
    canvas.box();
    canvas.text(plot_area.left, plot_area.top + title_lift, headline(slice, words), title_size,
                Canvas::Align::left);
    canvas.text(plot_area.left, plot_area.top + status_lift, time_words(words), status_size,
                Canvas::Align::left);
    canvas.text(plot_area.right, plot_area.top + status_lift, step_words(words), status_size,
                Canvas::Align::right);
  });
}

void draw_convergence(const std::filesystem::path& file,
                      const std::vector<std::pair<long long, double>>& residuals, double tolerance,
                      const std::string& title) {
  std::vector<double> x, y;
  for (const auto& [iteration, residual] : residuals) {
    if (!(residual > 0.0)) continue;
    x.push_back(static_cast<double>(iteration));
    y.push_back(std::log10(residual));
  }
  const double limit = std::log10(tolerance);
  double lowest = limit, highest = 0.0;
  for (const double each : y) {
    lowest = std::min(lowest, each);
    highest = std::max(highest, each);
  }
  write_page(file, [&](Canvas& canvas) {
    canvas.window(plot_area, {static_cast<double>(residuals.front().first),
                              static_cast<double>(residuals.back().first), std::floor(lowest - 0.2),
                              std::ceil(highest)});
    canvas.grid_lines();
    canvas.level(limit);
    if (!x.empty()) canvas.line(x, y);
    canvas.frame(Canvas::Ticks::logarithmic);
    canvas.text((plot_area.left + plot_area.right) / 2, plot_area.bottom - label_drop, "iteration",
                label_size, Canvas::Align::centre);
    canvas.text(plot_area.left - label_shift, (plot_area.bottom + plot_area.top) / 2,
                "residual, relative to the first one", label_size, Canvas::Align::centre, true);
    canvas.text(plot_area.left, plot_area.top + title_lift, title + ":  convergence", title_size,
                Canvas::Align::left);
    canvas.text(plot_area.left, plot_area.top + status_lift,
                fmt::format("{} iterations, tolerance {:g}", residuals.back().first, tolerance),
                status_size, Canvas::Align::left);
  });
}

void draw_solutions(const std::filesystem::path& file,
                    const std::vector<std::pair<long long, double>>& iterations,
                    const std::string& title) {
  std::vector<double> x, y;
  double total = 0.0, most = 1.0;
  for (const auto& [step, count] : iterations) {
    x.push_back(static_cast<double>(step));
    y.push_back(count);
    total += count;
    most = std::max(most, count);
  }
  write_page(file, [&](Canvas& canvas) {
    const ValueRange along{x.front(), x.back()};
    const ValueRange upwards{0.0, 1.1 * most};
    draw_axis(canvas, {PageAxis::Side::below, along, "step", "", true}, plot_area);
    draw_axis(canvas, {PageAxis::Side::left, upwards, "iterations in a step", "", true}, plot_area);
    canvas.window(plot_area, {along.lower, along.upper, upwards.lower, upwards.upper});
    canvas.line(x, y);
    canvas.box();
    canvas.text(plot_area.left, plot_area.top + title_lift, title, title_size, Canvas::Align::left);
    canvas.text(plot_area.left, plot_area.top + status_lift,
                fmt::format("{:.1f} iterations a step, {:g} at most",
                            total / static_cast<double>(y.size()), most),
                status_size, Canvas::Align::left);
  });
}

}  // namespace cartwright::grid
