// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <cartwright/grid/output/picture.hpp>
#include <cartwright/rt/error.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "canvas.hpp"
#include "whole_file.hpp"

namespace cartwright::grid {
namespace {

namespace fs = std::filesystem;

using Align = Canvas::Align;
using Rectangle = Canvas::Rectangle;

// In pixels.
constexpr double left_margin = 88;
constexpr double bottom_margin = 66;
constexpr double top_margin = 74;
constexpr double bar_gap = 26;
constexpr double bar_width = 22;
constexpr double bar_margin = 96;  // beside the bar, for its numbers and label
constexpr double longest_side = 600;
constexpr double shortest_side = 200;

constexpr char axis_letter(int axis) {
  return static_cast<char>('x' + axis);
}

std::string with_unit(const std::string& name, const std::string& unit) {
  return unit.empty() ? name : fmt::format("{}  [{}]", name, unit);
}

/// The area of the slice, with its own proportions unless they are extreme.
std::array<double, 2> plot_size(const Slice& slice) {
  const double width = slice.upper[0] - slice.lower[0];
  const double height = slice.upper[1] - slice.lower[1];
  const double scale = longest_side / std::max(width, height);
  return {std::round(std::max(shortest_side, width * scale)),
          std::round(std::max(shortest_side, height * scale))};
}

void headline(Canvas& canvas, const Slice& slice, const PictureText& words, double left,
              double right, double top) {
  std::string title = words.title.empty() ? words.field : words.title + ":  " + words.field;
  if (slice.plane)
    title += fmt::format("  at {} = {:.4g} {}", axis_letter(slice.plane->axis),
                         slice.plane->position, words.length_unit);
  canvas.text(left, top + 44, title, 17, Align::left);
  const bool has_time = !words.time_unit.empty();
  if (has_time)
    canvas.text(left, top + 18, fmt::format("t = {:.6g} {}", words.time, words.time_unit), 13,
                Align::left);
  canvas.text(right, top + 18, fmt::format("{} {}", has_time ? "step" : "iteration", words.step),
              13, Align::right);
}

void axis_labels(Canvas& canvas, const std::string& below, const std::string& beside,
                 const Rectangle& area) {
  canvas.text((area.left + area.right) / 2, area.bottom - 46, below, 14, Align::centre);
  canvas.text(area.left - 62, (area.bottom + area.top) / 2, beside, 14, Align::centre, true);
}

void colour_bar(Canvas& canvas, const Rectangle& area, ValueRange range, const PictureText& words) {
  std::vector<double> ramp;
  ramp.reserve(256);
  for (int i = 0; i < 256; ++i) ramp.push_back((i + 0.5) / 256);
  const Rectangle bar{area.right + bar_gap, area.right + bar_gap + bar_width, area.bottom,
                      area.top};
  canvas.window(bar, {0, 1, 0, 1});
  canvas.image(ramp, {1, static_cast<int>(ramp.size())}, {0, 1});
  canvas.window(bar, {0, 1, range.lower, range.upper});
  canvas.frame(Canvas::Ticks::right_only);
  canvas.text(bar.right + 66, (area.bottom + area.top) / 2, with_unit(words.field, words.unit), 14,
              Align::centre, true);
}

void draw_map(const fs::path& file, const Slice& slice, ValueRange range,
              const PictureText& words) {
  const auto [width, height] = plot_size(slice);
  const Rectangle area{left_margin, left_margin + width, bottom_margin, bottom_margin + height};
  Canvas canvas(file, static_cast<int>(area.right + bar_gap + bar_width + bar_margin),
                static_cast<int>(area.top + top_margin));
  canvas.window(area, {slice.lower[0], slice.upper[0], slice.lower[1], slice.upper[1]});
  canvas.image(slice.values, slice.count, range);
  canvas.frame(Canvas::Ticks::left_and_bottom);
  const auto label = [&](int axis) {
    return with_unit(std::string(1, axis_letter(axis)), words.length_unit);
  };
  axis_labels(canvas, label(slice.axes[0]), label(slice.axes[1]), area);
  colour_bar(canvas, area, range, words);
  headline(canvas, slice, words, area.left, area.right, area.top);
}

void draw_line(const fs::path& file, const Slice& slice, ValueRange range,
               const PictureText& words) {
  const Rectangle area{left_margin, left_margin + 720, bottom_margin, bottom_margin + 420};
  Canvas canvas(file, static_cast<int>(area.right + 40), static_cast<int>(area.top + top_margin));
  const double margin = 0.05 * (range.upper - range.lower);
  canvas.window(area, {slice.lower[0], slice.upper[0], range.lower - margin, range.upper + margin});
  canvas.grid_lines();
  std::vector<double> x;
  x.reserve(slice.values.size());
  const double pixel = (slice.upper[0] - slice.lower[0]) / slice.count[0];
  for (int i = 0; i < slice.count[0]; ++i) x.push_back(slice.lower[0] + (i + 0.5) * pixel);
  canvas.line(x, slice.values);
  canvas.frame(Canvas::Ticks::left_and_bottom);
  axis_labels(canvas, with_unit(std::string(1, axis_letter(slice.axes[0])), words.length_unit),
              with_unit(words.field, words.unit), area);
  headline(canvas, slice, words, area.left, area.right, area.top);
}

/// PLplot says nothing about a disk that fills up: a whole PNG ends with this chunk.
bool is_whole_png(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary | std::ios::ate);
  if (!stream || stream.tellg() < 12) return false;
  stream.seekg(-8, std::ios::end);
  std::array<char, 4> chunk{};
  stream.read(chunk.data(), chunk.size());
  return std::string_view(chunk.data(), chunk.size()) == "IEND";
}

/// `draw` draws into a file of another name, which then gets its own.
template <class Draw>
void draw_whole(const fs::path& file, const Draw& draw) {
  const fs::path temporary = begin_result(file);  // PLplot ends the process where it can't open one
  draw(temporary);
  if (!is_whole_png(temporary)) {
    std::error_code ignored;
    fs::remove(temporary, ignored);
    throw rt::input_error(fmt::format("cannot write picture '{}'", file.string()),
                          "Check the space and the permissions there.");
  }
  finish_result(temporary, file);
}

void draw_logarithms(const fs::path& file,
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
  const Rectangle area{left_margin, left_margin + 720, bottom_margin, bottom_margin + 420};
  Canvas canvas(file, static_cast<int>(area.right + 40), static_cast<int>(area.top + top_margin));
  canvas.window(area, {static_cast<double>(residuals.front().first),
                       static_cast<double>(residuals.back().first), std::floor(lowest - 0.2),
                       std::ceil(highest)});
  canvas.grid_lines();
  canvas.level(limit);
  if (!x.empty()) canvas.line(x, y);
  canvas.frame(Canvas::Ticks::logarithmic);
  axis_labels(canvas, "iteration", "residual, relative to the first one", area);
  canvas.text(area.left, area.top + 44, title + ":  convergence", 17, Align::left);
  canvas.text(area.left, area.top + 18,
              fmt::format("{} iterations, tolerance {:g}", residuals.back().first, tolerance), 13,
              Align::left);
}

}  // namespace

void draw_picture(const fs::path& file, const Slice& slice, ValueRange range,
                  const PictureText& text) {
  draw_whole(file, [&](const fs::path& temporary) {
    if (slice.dimensions > 1)
      draw_map(temporary, slice, range, text);
    else
      draw_line(temporary, slice, range, text);
  });
}

void draw_convergence(const fs::path& file,
                      const std::vector<std::pair<long long, double>>& residuals, double tolerance,
                      const std::string& title) {
  draw_whole(file, [&](const fs::path& temporary) {
    draw_logarithms(temporary, residuals, tolerance, title);
  });
}

}  // namespace cartwright::grid
