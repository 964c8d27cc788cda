// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/output/picture.hpp>

#include <array>
#include <filesystem>
#include <span>
#include <string>

namespace cartwright::grid {

/// A PNG picture being drawn by PLplot's cairo driver, or pixels in memory being drawn upon. PLplot
/// has one global state: one canvas at a time.
class Canvas {
 public:
  struct Rectangle {
    double left = 0, right = 1, bottom = 0, top = 1;
  };
  enum class Align { left, centre, right };
  /// `logarithmic`: left and bottom, the vertical coordinates are decimal logarithms.
  enum class Ticks { left_and_bottom, right_only, logarithmic };

  Canvas(const std::filesystem::path& file, int width, int height);
  /// Draws upon what is there: red, green and blue of each pixel, rows from the top.
  Canvas(std::span<unsigned char> pixels, int width, int height);
  Canvas(const Canvas&) = delete;
  Canvas& operator=(const Canvas&) = delete;
  /// Writes the file, or the pixels.
  ~Canvas();

  /// What is drawn next lies in `pixels` (y upwards) and uses the coordinates of `world`.
  void window(const Rectangle& pixels, const Rectangle& world);
  /// Fills the window with equal cells, one a number, the horizontal axis fastest, coloured from
  /// `range`. What is no number stays as it was.
  void image(std::span<const double> values, std::array<int, 2> count, ValueRange range) const;
  void line(std::span<const double> x, std::span<const double> y);
  /// A thin one, in the colour of text.
  void thin_line(std::span<const double> x, std::span<const double> y);
  /// A thin one across the window.
  void level(double y);
  /// A frame with ticks and numbers.
  void frame(Ticks ticks);
  void grid_lines();
  /// Text on the whole page at a place in pixels; `up` turns it by 90 degrees.
  void text(double x, double y, const std::string& words, double size, Align align,
            bool up = false);

 private:
  void ink(int colour, double width);
  void begin();

  int width_;
  int height_;
  Rectangle pixels_;
  Rectangle world_;
};

}  // namespace cartwright::grid
