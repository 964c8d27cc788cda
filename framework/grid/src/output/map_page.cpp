// SPDX-License-Identifier: Apache-2.0
#include "map_page.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "canvas.hpp"
#include "overlay.hpp"
#include "page_layout.hpp"
#include "png_file.hpp"

namespace cartwright::grid {
namespace {

// In pixels.
constexpr double bar_gap = 26;
constexpr double bar_width = 22;
constexpr double bar_margin = 104;  // beside the bar, for its numbers and label
constexpr double longest_side = 600;
constexpr double shortest_side = 200;
constexpr double room_for_status = 300;  // beside each other: time and step
constexpr int status_height = 24;

/// The longer side of a plot of so many cells: whole pixels a cell if that is about as long.
double side_for(int cells) {
  const double whole = cells * std::max(1.0, std::round(longest_side / cells));
  return whole >= 480 && whole <= 680 ? whole : longest_side;
}

/// The area of the slice, with its own proportions unless they are extreme.
std::array<double, 2> plot_size(const Slice& slice) {
  const double width = slice.upper[0] - slice.lower[0];
  const double height = slice.upper[1] - slice.lower[1];
  const double scale = side_for(slice.count[width < height ? 1 : 0]) / std::max(width, height);
  return {std::round(std::max(shortest_side, width * scale)),
          std::round(std::max(shortest_side, height * scale))};
}

/// Which cell each pixel along a side shows.
std::vector<int> cells_along(int pixels, int cells) {
  std::vector<int> shown(static_cast<std::size_t>(pixels));
  for (long long i = 0; i < pixels; ++i)
    shown[static_cast<std::size_t>(i)] = static_cast<int>((2 * i + 1) * cells / (2LL * pixels));
  return shown;
}

auto all_that_stays(const PictureText& words) {
  return std::tie(words.field, words.unit, words.length_unit, words.title, words.time_unit,
                  words.colours);
}

auto all_of_geometry(const Slice& slice) {
  return std::tie(slice.dimensions, slice.axes, slice.count, slice.lower, slice.upper);
}

}  // namespace

MapPage::MapPage(const Slice& slice, ValueRange range, const PictureText& words)
    : palette_(words.colours),
      geometry_{slice.dimensions, slice.axes,  slice.count, slice.lower,
                slice.upper,      slice.plane, {}},
      range_(range),
      words_(words) {
  const std::array<double, 2> size = plot_size(slice);
  const double width = size[0], height = size[1];
  const auto box = [&](double left, double across) {
    return Box{static_cast<int>(left), static_cast<int>(top_margin),
               static_cast<int>(left + across), static_cast<int>(top_margin + height)};
  };
  area_ = box(left_margin, width);
  bar_ = box(left_margin + width + bar_gap, bar_width);
  width_ = bar_.right + static_cast<int>(bar_margin);
  height_ = area_.bottom + static_cast<int>(bottom_margin);
  pixels_.assign(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_),
                 palette_.paper());
  draw_page(slice, words);
}

bool MapPage::fits(const Slice& slice, ValueRange range, const PictureText& words) const {
  const auto place = [](const Slice& of) {
    return of.plane ? std::pair(of.plane->axis, of.plane->position) : std::pair(-1, 0.0);
  };
  return range == range_ && all_that_stays(words) == all_that_stays(words_) &&
         all_of_geometry(slice) == all_of_geometry(geometry_) && place(slice) == place(geometry_);
}

void MapPage::draw_page(const Slice& slice, const PictureText& words) {
  std::vector<unsigned char> page(3 * pixels_.size(), 255);
  {
    Canvas canvas(page, width_, height_);
    const auto up = [this](const Box& box) {
      return Canvas::Rectangle{static_cast<double>(box.left), static_cast<double>(box.right),
                               static_cast<double>(height_ - box.bottom),
                               static_cast<double>(height_ - box.top)};
    };
    const Canvas::Rectangle area = up(area_);
    const auto along = [&](PageAxis::Side side, std::size_t i) {
      return PageAxis{side,
                      {slice.lower[i], slice.upper[i]},
                      std::string(1, axis_letter(slice.axes[i])),
                      words.length_unit};
    };
    draw_axis(canvas, along(PageAxis::Side::below, 0), area);
    draw_axis(canvas, along(PageAxis::Side::left, 1), area);
    draw_axis(canvas, {PageAxis::Side::right, range_, words.field, words.unit}, up(bar_));
    canvas.text(area.left, area.top + title_lift, headline(slice, words), title_size,
                Canvas::Align::left);
  }
  take(page, 0);
  fill_bar();
  outline(area_);
  outline(bar_);
}

void MapPage::fill_bar() {
  for (int y = bar_.top; y < bar_.bottom; ++y) {
    const int from_below = bar_.bottom - 1 - y;
    const int shade = (2 * from_below + 1) * Palette::shades / (2 * bar_.height());
    std::fill(at(bar_.left, y), at(bar_.right, y), palette_.shade(shade));
  }
}

/// A line of one pixel around it.
void MapPage::outline(const Box& box) {
  for (const int y : {box.top - 1, box.bottom})
    std::fill(at(box.left - 1, y), at(box.right + 1, y), palette_.ink());
  for (int y = box.top - 1; y <= box.bottom; ++y)
    *at(box.left - 1, y) = *at(box.right, y) = palette_.ink();
}

void MapPage::fill_cells(const Slice& slice) {
  const std::vector<int> columns = cells_along(area_.width(), slice.count[0]);
  const std::vector<int> rows = cells_along(area_.height(), slice.count[1]);
  std::vector<std::uint8_t> colours(static_cast<std::size_t>(slice.count[0]));
  for (int y = 0; y < area_.height(); ++y) {
    std::uint8_t* const line = at(area_.left, area_.bottom - 1 - y);
    const int row = rows[static_cast<std::size_t>(y)];
    if (y > 0 && row == rows[static_cast<std::size_t>(y - 1)]) {
      std::copy_n(line + width_, area_.width(), line);
      continue;
    }
    const double* const values =
        slice.values.data() + static_cast<std::ptrdiff_t>(row) * slice.count[0];
    for (std::size_t i = 0; i < colours.size(); ++i) {
      const int shade = shade_number(values[i], range_);
      colours[i] = shade < 0 ? palette_.paper() : palette_.shade(shade);
    }
    for (std::size_t x = 0; x < columns.size(); ++x)
      line[x] = colours[static_cast<std::size_t>(columns[x])];
  }
}

void MapPage::draw_status(const PictureText& words) {
  const int top = area_.top - static_cast<int>(status_lift) - status_height / 2;
  std::vector<unsigned char> strip(3 * static_cast<std::size_t>(width_) * status_height, 255);
  {
    Canvas canvas(strip, width_, status_height);
    const double middle = status_height / 2.0;
    canvas.text(area_.left, middle, time_words(words), status_size, Canvas::Align::left);
    const bool is_narrow = area_.width() < room_for_status;
    canvas.text(is_narrow ? bar_.right + bar_margin - 8 : area_.right, middle, step_words(words),
                status_size, Canvas::Align::right);
  }
  take(strip, top);
}

void MapPage::take(const std::vector<unsigned char>& rgb, int top) {
  std::uint8_t* const first = at(0, top);
  for (std::size_t i = 0; i < rgb.size() / 3; ++i) first[i] = palette_.grey(rgb[3 * i + 1]);
}

std::vector<unsigned char> MapPage::rgb() const {
  std::vector<unsigned char> bytes;
  bytes.reserve(3 * pixels_.size());
  for (const std::uint8_t pixel : pixels_) {
    const Rgb& colour = palette_.colours()[pixel];
    bytes.insert(bytes.end(), colour.begin(), colour.end());
  }
  return bytes;
}

void MapPage::write(const std::filesystem::path& file, const Slice& slice, const PictureText& words,
                    const Overlay& overlay) {
  fill_cells(slice);
  draw_status(words);
  if (overlay.is_empty()) {
    write_png(file, pixels_, width_, height_, palette_.colours());
    return;
  }
  std::vector<unsigned char> bytes = rgb();
  PixelArea target{bytes, width_, height_, area_.left, area_.top, area_.right, area_.bottom};
  draw_overlay(target, slice, range_, words.colours, overlay);
  write_png(file, bytes, width_, height_);
}

}  // namespace cartwright::grid
