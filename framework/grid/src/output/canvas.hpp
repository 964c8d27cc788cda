// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

namespace cartwright::grid {

/// Pixels in memory being drawn upon by PLplot. It has one global state: one canvas at a time.
class Canvas {
 public:
  struct Rectangle {
    double left = 0, right = 1, bottom = 0, top = 1;
  };
  enum class Align { left, centre, right };
  /// `logarithmic`: left and bottom, the vertical coordinates are decimal logarithms.
  enum class Ticks { right_only, logarithmic };

  /// Draws upon what is there: red, green and blue of each pixel, rows from the top.
  Canvas(std::span<unsigned char> pixels, int width, int height);
  Canvas(const Canvas&) = delete;
  Canvas& operator=(const Canvas&) = delete;
  /// Writes the pixels.
  ~Canvas();

  /// What is drawn next lies in `pixels` (y upwards) and uses the coordinates of `world`.
  void window(const Rectangle& pixels, const Rectangle& world);
  /// The same with the page's pixels for coordinates.
  void whole_page();
  /// What is no number interrupts it; a point by itself is a dot.
  void line(std::span<const double> x, std::span<const double> y);
  enum class Stroke { thin, halo };  ///< in the colour of text; wider, in that of paper
  /// A piece of a drawing.
  void stroke(std::span<const double> x, std::span<const double> y, Stroke how);
  /// A thin one, in the colour of text.
  void thin_line(std::span<const double> x, std::span<const double> y);
  /// A faint one across `area` of the page, upright at x or level at y.
  void faint_line(const Rectangle& area, double at, bool upright);
  /// A thin one across the window.
  void level(double y);
  /// A frame with ticks and numbers.
  void frame(Ticks ticks);
  /// A frame without any.
  void box();
  void grid_lines();
  /// Text on the whole page at a place in pixels; `up` turns it by 90 degrees.
  void text(double x, double y, const std::string& words, double size, Align align,
            bool up = false);

 private:
  void ink(int colour, double width);

  int width_;
  int height_;
  Rectangle pixels_;
  Rectangle world_;
};

}  // namespace cartwright::grid
