// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <png.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <vector>

namespace cartwright::grid::test {

/// A picture as its pixels, row 0 on top.
class PngImage {
 public:
  using Colour = std::array<std::uint8_t, 3>;

  explicit PngImage(const std::filesystem::path& file) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    if (png_image_begin_read_from_file(&image, file.c_str()) == 0)
      throw std::runtime_error(file.string() + ": " + image.message);
    image.format = PNG_FORMAT_RGB;
    pixels_.resize(PNG_IMAGE_SIZE(image) / sizeof(Colour));
    const png_color white{255, 255, 255};
    if (png_image_finish_read(&image, &white, pixels_.data(), 0, nullptr) == 0)
      throw std::runtime_error(file.string() + ": " + image.message);
    width_ = static_cast<int>(image.width);
    height_ = static_cast<int>(image.height);
  }

  [[nodiscard]] int width() const { return width_; }
  [[nodiscard]] int height() const { return height_; }
  [[nodiscard]] const Colour& at(int column, int row) const {
    return pixels_.at(static_cast<std::size_t>(row) * static_cast<std::size_t>(width_) +
                      static_cast<std::size_t>(column));
  }

 private:
  std::vector<Colour> pixels_;
  int width_ = 0;
  int height_ = 0;
};

}  // namespace cartwright::grid::test
