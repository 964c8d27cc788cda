// SPDX-License-Identifier: Apache-2.0
#include "overlay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cartwright/grid/output/colour_map.hpp>
#include <cmath>
#include <vector>

#include "canvas.hpp"
#include "page_layout.hpp"
#include "palette.hpp"

namespace cartwright::grid {
namespace {

int width_of(const PixelArea& page) {
  return page.right - page.left;
}
int height_of(const PixelArea& page) {
  return page.bottom - page.top;
}

/// Where a pixel lies between the centres of cells along one side.
struct Between {
  int lower = 0, upper = 0;
  double part = 0;
  Between(int pixel, int pixels, int cells) {
    const double place = (pixel + 0.5) / pixels * cells - 0.5;
    const double inside = std::clamp(place, 0.0, cells - 1.0);
    lower = static_cast<int>(inside);
    upper = std::min(lower + 1, cells - 1);
    part = inside - lower;
  }
};

/// Heights of a surface whose contours are at whole numbers, one a pixel of the plot, from the
/// bottom; linear between the centres of cells.
std::vector<double> heights_of(const PixelArea& page, const Slice& slice, ValueRange range,
                               int contours) {
  const int width = width_of(page), height = height_of(page);
  const double lift = 0.5 * range.lower;
  const double scale = 0.5 * range.upper - lift;
  const auto at = [&](int x, int y) {
    const double value =
        slice.values[static_cast<std::size_t>(y) * static_cast<std::size_t>(slice.count[0]) +
                     static_cast<std::size_t>(x)];
    return (0.5 * value - lift) / scale * (contours + 1);
  };
  std::vector<double> heights;
  heights.reserve(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  for (int y = 0; y < height; ++y) {
    const Between v(y, height, slice.count[1]);
    for (int x = 0; x < width; ++x) {
      const Between h(x, width, slice.count[0]);
      const double low = (1 - h.part) * at(h.lower, v.lower) + h.part * at(h.upper, v.lower);
      const double high = (1 - h.part) * at(h.lower, v.upper) + h.part * at(h.upper, v.upper);
      heights.push_back((1 - v.part) * low + v.part * high);
    }
  }
  return heights;
}

void mix(unsigned char* pixel, const Rgb& colour, double part) {
  for (std::size_t i = 0; i < colour.size(); ++i)
    pixel[i] = static_cast<unsigned char>(std::lround((1 - part) * pixel[i] + part * colour[i]));
}

/// How much of a pixel the contour next to it covers, from the height there, below it and above it
/// along both axes: 0 where none passes, as on a plain, whatever its rounding.
double covered(double here, const std::array<double, 4>& around, double level) {
  constexpr double half_width = 0.6, plain = 1e-4;
  const auto [least, most] = std::minmax_element(around.begin(), around.end());
  if (!std::isfinite(here) || !(*least < level && level < *most)) return 0;
  const double slope = std::hypot(0.5 * (around[1] - around[0]), 0.5 * (around[3] - around[2]));
  if (!(slope > plain)) return 0;
  return std::clamp(half_width + 0.5 - std::abs(here - level) / slope, 0.0, 1.0);
}

/// To the eye, about.
double lightness(const std::array<double, 3>& colour) {
  return 0.3 * colour[0] + 0.6 * colour[1] + 0.1 * colour[2];
}

void draw_contours(const PixelArea& page, const Slice& slice, ValueRange range,
                   const std::string& colours, int contours) {
  constexpr double opacity = 0.8;
  const double middle = lightness(viridis(0.55));
  std::vector<Rgb> lines;  // by level: light on dark colours, dark on light ones
  for (int level = 0; level <= contours; ++level)
    lines.push_back(lightness(named_colour(colours, level / (contours + 1.0))) < middle
                        ? paper_colour
                        : ink_colour);
  const int width = width_of(page), height = height_of(page);
  const std::vector<double> heights = heights_of(page, slice, range, contours);
  const auto at = [&](int x, int y) {
    return heights[static_cast<std::size_t>(std::clamp(y, 0, height - 1)) *
                       static_cast<std::size_t>(width) +
                   static_cast<std::size_t>(std::clamp(x, 0, width - 1))];
  };
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const double level = std::round(at(x, y));
      if (!(level >= 1 && level <= contours)) continue;
      const double part =
          covered(at(x, y), {at(x - 1, y), at(x + 1, y), at(x, y - 1), at(x, y + 1)}, level);
      if (part <= 0) continue;
      mix(page.rgb.data() +
              3 * (static_cast<std::ptrdiff_t>(page.bottom - 1 - y) * page.width + page.left + x),
          lines[static_cast<std::size_t>(level)], opacity * part);
    }
}

/// The last of … 1, 2, 5, 10, 20 … that isn't above.
double round_number_below(double most) {
  const double power = std::pow(10.0, std::floor(std::log10(most)));
  double found = power;
  for (const double factor : {2.0, 5.0})
    if (factor * power <= most) found = factor * power;
  return found;
}

struct Arrow {
  double x, y;    ///< its middle, on the page
  double dx, dy;  ///< from tail to tip
};

void stroke(Canvas& canvas, const Arrow& arrow, Canvas::Stroke how) {
  const double length = std::hypot(arrow.dx, arrow.dy);
  const double head = std::min(7.0, 0.45 * length) / length;
  const double tip_x = arrow.x + 0.5 * arrow.dx, tip_y = arrow.y + 0.5 * arrow.dy;
  const auto barb = [&](double side) {
    return std::array{tip_x - head * (arrow.dx - side * 0.5 * arrow.dy),
                      tip_y - head * (arrow.dy + side * 0.5 * arrow.dx)};
  };
  const auto left = barb(1), right = barb(-1);
  canvas.stroke(std::array{arrow.x - 0.5 * arrow.dx, tip_x},
                std::array{arrow.y - 0.5 * arrow.dy, tip_y}, how);
  canvas.stroke(std::array{left[0], tip_x, right[0]}, std::array{left[1], tip_y, right[1]}, how);
}

double longest_of(const Overlay& overlay) {
  double longest = 0;
  for (std::size_t i = 0; i < overlay.vectors[0].values.size(); ++i) {
    const double length = std::hypot(overlay.vectors[0].values[i], overlay.vectors[1].values[i]);
    if (std::isfinite(length)) longest = std::max(longest, length);
  }
  return longest;
}

/// What an arrow of `length` pixels means, in the lower right corner.
void draw_key(Canvas& canvas, const PixelArea& page, const std::string& words, double length) {
  const double y = page.height - page.bottom - label_drop;
  const double of_words = 0.6 * status_size * static_cast<double>(words.size());  // about
  const double left = page.width - 12 - of_words - length;
  canvas.text(left + length + 6, y, words, status_size, Canvas::Align::left);
  stroke(canvas, {left + 0.5 * length, y, length, 0}, Canvas::Stroke::thin);
}

void draw_vectors(const PixelArea& page, const Overlay& overlay) {
  constexpr double shortest = 1;  // pixels
  const auto [columns, rows] = overlay.vectors[0].count;
  const double step_x = static_cast<double>(width_of(page)) / columns;
  const double step_y = static_cast<double>(height_of(page)) / rows;
  const double room = std::clamp(1.1 * std::min(step_x, step_y), 18.0, 40.0);
  const double longest = longest_of(overlay);
  if (!(longest > 0)) return;
  std::vector<Arrow> arrows;
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < columns; ++i) {
      const auto at = static_cast<std::size_t>(j) * static_cast<std::size_t>(columns) +
                      static_cast<std::size_t>(i);
      const double dx = room / longest * overlay.vectors[0].values[at];
      const double dy = room / longest * overlay.vectors[1].values[at];
      if (!(std::hypot(dx, dy) >= shortest && std::isfinite(dx + dy))) continue;
      arrows.push_back(
          {page.left + (i + 0.5) * step_x, page.height - page.bottom + (j + 0.5) * step_y, dx, dy});
    }
  Canvas canvas(page.rgb, page.width, page.height);
  canvas.whole_page();
  for (const auto how : {Canvas::Stroke::halo, Canvas::Stroke::thin})
    for (const Arrow& arrow : arrows) stroke(canvas, arrow, how);
  const double unit = round_number_below(longest);
  draw_key(canvas, page,
           fmt::format("{:g} {}  {}", unit, overlay.vectors_unit, overlay.vectors_name),
           room * (unit / longest));
}

}  // namespace

void draw_overlay(const PixelArea& page, const Slice& slice, ValueRange range,
                  const std::string& colours, const Overlay& overlay) {
  if (overlay.contours > 0) draw_contours(page, slice, range, colours, overlay.contours);
  if (overlay.has_vectors()) draw_vectors(page, overlay);
}

}  // namespace cartwright::grid
