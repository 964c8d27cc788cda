// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/output/picture.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "palette.hpp"

namespace cartwright::grid {

/// The page of a map: axes, labels and colour bar, drawn once; cells, time and step are put in for
/// each picture. Pixels are numbers of the palette's colours, rows from the top.
class MapPage {
 public:
  /// For slices of these places and numbers of points, whatever their values.
  MapPage(const Slice& slice, ValueRange range, const PictureText& words);

  /// True if this page is also that of another picture.
  [[nodiscard]] bool fits(const Slice& slice, ValueRange range, const PictureText& words) const;
  /// Draws the picture and writes it.
  void write(const std::filesystem::path& file, const Slice& slice, const PictureText& words,
             const Overlay& overlay);

 private:
  struct Box {  // pixels from left and top to before right and bottom
    int left = 0, top = 0, right = 0, bottom = 0;
    [[nodiscard]] int width() const { return right - left; }
    [[nodiscard]] int height() const { return bottom - top; }
  };
  void draw_page(const Slice& slice, const PictureText& words);
  void fill_bar();
  void fill_cells(const Slice& slice);
  void draw_status(const PictureText& words);
  void outline(const Box& box);
  [[nodiscard]] std::uint8_t* at(int x, int y) {
    return pixels_.data() + static_cast<std::ptrdiff_t>(y) * width_ + x;
  }
  /// Shows drawn words; `rgb` as wide as the page, from row `top` on.
  void take(const std::vector<unsigned char>& rgb, int top);
  [[nodiscard]] std::vector<unsigned char> rgb() const;

  Palette palette_;
  Slice geometry_;  // without values
  ValueRange range_;
  PictureText words_;
  int width_ = 0, height_ = 0;
  Box area_, bar_;
  std::vector<std::uint8_t> pixels_;
};

}  // namespace cartwright::grid
