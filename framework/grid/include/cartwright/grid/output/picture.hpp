// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/output/slice.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace cartwright::grid {

/// The numbers that a picture's colours (or vertical axis) span.
struct ValueRange {
  double lower = 0;
  double upper = 1;
  friend bool operator==(const ValueRange&, const ValueRange&) = default;
};

/// The words around a picture, and what its colours are.
struct PictureText {
  std::string field;        ///< "temperature"
  std::string unit;         ///< "K"; may be empty
  std::string length_unit;  ///< "m"
  std::string title;        ///< "heat"
  long long step = 0;
  double time = 0;
  std::string time_unit = "s";      ///< empty: there is no time, steps are iterations
  std::string colours = "viridis";  ///< the colour map, of named_colour()
};

/// What lies over the colours of a map.
struct Overlay {
  int contours = 0;              ///< lines of equal value, evenly between the ends of the range
  std::array<Slice, 2> vectors;  ///< of a vector, along the axes to the right and upwards
  std::string vectors_name;      ///< "velocity"
  std::string vectors_unit;      ///< "m/s"
  [[nodiscard]] bool has_vectors() const noexcept { return !vectors[0].values.empty(); }
  [[nodiscard]] bool is_empty() const noexcept { return contours == 0 && !has_vectors(); }
};

class MapPage;

/// Draws slices as PNG files, in this process and without a display: filled pixels with a colour
/// bar, or a line for a 1-D field. What one picture has in common with the one before (axes, words,
/// the colour bar) is drawn once.
class PicturePainter {
 public:
  PicturePainter();
  PicturePainter(PicturePainter&&) noexcept;
  PicturePainter& operator=(PicturePainter&&) noexcept;
  ~PicturePainter();

  /// The file appears whole or not at all. Throws `rt::Error` (input error) if it cannot be
  /// written. 1-D fields have no overlay.
  void draw(const std::filesystem::path& file, const Slice& slice, ValueRange range,
            const PictureText& text, const Overlay& overlay = {});

 private:
  std::unique_ptr<MapPage> page_;
};

/// One picture, by a painter of its own.
void draw_picture(const std::filesystem::path& file, const Slice& slice, ValueRange range,
                  const PictureText& text, const Overlay& overlay = {});

/// Draws how a relative residual falls with the iterations, on a logarithmic axis, with a line at
/// the tolerance. Residuals that are 0 are left out. As draw_picture().
void draw_convergence(const std::filesystem::path& file,
                      const std::vector<std::pair<long long, double>>& residuals, double tolerance,
                      const std::string& title);

/// Draws how many iterations a loop inside of a step took, by step. As draw_picture().
void draw_solutions(const std::filesystem::path& file,
                    const std::vector<std::pair<long long, double>>& iterations,
                    const std::string& title);

}  // namespace cartwright::grid
