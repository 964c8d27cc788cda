// SPDX-License-Identifier: Apache-2.0
#include "png_file.hpp"

#include <fmt/format.h>
#include <png.h>

#include <cartwright/rt/error.hpp>
#include <string>

#include "../whole_file.hpp"

namespace cartwright::grid {

void write_png(const std::filesystem::path& file, std::span<const unsigned char> pixels, int width,
               int height) {
  const std::filesystem::path temporary = begin_result(file);
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(width);
  image.height = static_cast<png_uint_32>(height);
  image.format = PNG_FORMAT_RGB;
  if (png_image_write_to_file(&image, temporary.c_str(), 0, pixels.data(), 0, nullptr) == 0) {
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
    throw rt::input_error(
        fmt::format("cannot write picture '{}': {}", file.string(), image.message),
        "Check the space and the permissions there.");
  }
  finish_result(temporary, file);
}

}  // namespace cartwright::grid
