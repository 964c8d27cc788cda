// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/output/picture.hpp>

#include <span>
#include <string>

namespace cartwright::grid {

/// Pixels of a page as red, green and blue, rows from the top; those of the plot lie from left and
/// top to before right and bottom.
struct PixelArea {
  std::span<unsigned char> rgb;
  int width, height;
  int left, top, right, bottom;
};

/// Draws lines of equal value and arrows over a map in these colours.
void draw_overlay(const PixelArea& page, const Slice& slice, ValueRange range,
                  const std::string& colours, const Overlay& overlay);

}  // namespace cartwright::grid
