// SPDX-License-Identifier: Apache-2.0
#include "palette.hpp"

#include <algorithm>
#include <cartwright/grid/output/colour_map.hpp>
#include <cmath>

namespace cartwright::grid {
namespace {

std::uint8_t between(std::uint8_t a, std::uint8_t b, double part) {
  return static_cast<std::uint8_t>(std::lround((1 - part) * a + part * b));
}

/// The colours from the least to the largest red, green and blue of some shades.
struct Hull {
  Rgb low{255, 255, 255};
  Rgb high{0, 0, 0};
  void add(const Rgb& colour) {
    for (std::size_t i = 0; i < colour.size(); ++i) {
      low[i] = std::min(low[i], colour[i]);
      high[i] = std::max(high[i], colour[i]);
    }
  }
  [[nodiscard]] int width() const {
    int most = 0;
    for (std::size_t i = 0; i < low.size(); ++i) most = std::max(most, high[i] - low[i]);
    return most;
  }
  [[nodiscard]] Rgb middle() const {
    return {between(low[0], high[0], 0.5), between(low[1], high[1], 0.5),
            between(low[2], high[2], 0.5)};
  }
};

}  // namespace

Rgb shade_colour(std::string_view colours, int shade) {
  const auto colour = named_colour(colours, static_cast<double>(shade) / (Palette::shades - 1));
  Rgb bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<std::uint8_t>(std::lround(255 * colour[i]));
  return bytes;
}

int shade_number(double value, ValueRange range) {
  // Halves, because the difference of two large numbers may be none.
  const double part = (0.5 * value - 0.5 * range.lower) / (0.5 * range.upper - 0.5 * range.lower);
  if (std::isnan(part)) return -1;
  return std::min(static_cast<int>(Palette::shades * std::clamp(part, 0.0, 1.0)),
                  Palette::shades - 1);
}

Palette::Palette(std::string_view colours) {
  for (int i = 0; i < greys_; ++i) {
    const double part = static_cast<double>(i) / (greys_ - 1);
    Rgb colour{};
    for (std::size_t c = 0; c < colour.size(); ++c)
      colour[c] = between(paper_colour[c], ink_colour[c], part);
    colours_.push_back(colour);
  }
  for (int green = 0; green < 256; ++green) {
    const double part = (255.0 - green) / (255.0 - ink_colour[1]);
    of_grey_[static_cast<std::size_t>(green)] =
        static_cast<std::uint8_t>(std::lround(std::min(part, 1.0) * (greys_ - 1)));
  }
  for (int first = 0; first < shades;) {
    Hull hull;
    int end = first;
    for (Hull wider; end < shades; ++end) {
      wider.add(shade_colour(colours, end));
      if (wider.width() > 2) break;
      hull = wider;
    }
    for (; first < end; ++first)
      of_shade_[static_cast<std::size_t>(first)] = static_cast<std::uint8_t>(colours_.size());
    colours_.push_back(hull.middle());
  }
}

}  // namespace cartwright::grid
