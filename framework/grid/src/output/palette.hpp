// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/output/picture.hpp>

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "png_file.hpp"

namespace cartwright::grid {

/// The colours of a map with words around it, few enough for a byte a pixel: those of the colour
/// map, and what lies between paper and ink.
class Palette {
 public:
  static constexpr int shades = 256;

  /// `colours`: the name of a colour map.
  explicit Palette(std::string_view colours);

  [[nodiscard]] const std::vector<Rgb>& colours() const noexcept { return colours_; }
  /// Of 0 … 255, from the lower end of the colour map to the upper one. At most 1/255 from its
  /// colour in red, green and blue: neighbours share one where they may.
  [[nodiscard]] std::uint8_t shade(int number) const {
    return of_shade_[static_cast<std::size_t>(number)];
  }
  [[nodiscard]] std::uint8_t paper() const noexcept { return 0; }
  [[nodiscard]] std::uint8_t ink() const noexcept { return static_cast<std::uint8_t>(greys_ - 1); }
  /// Nearest to a colour that was mixed from paper and ink.
  [[nodiscard]] std::uint8_t grey(std::uint8_t green) const { return of_grey_[green]; }

 private:
  static constexpr int greys_ = 64;
  std::vector<Rgb> colours_;
  std::array<std::uint8_t, shades> of_shade_{};
  std::array<std::uint8_t, 256> of_grey_{};
};

/// White, and what words are written in.
constexpr Rgb paper_colour{255, 255, 255};
constexpr Rgb ink_colour{38, 38, 42};

/// A shade of a colour map, 0 … 255, in bytes.
[[nodiscard]] Rgb shade_colour(std::string_view colours, int shade);

/// Which of the shades a number has: beyond the range that of its end; -1: what is no number has
/// none.
[[nodiscard]] int shade_number(double value, ValueRange range);

}  // namespace cartwright::grid
