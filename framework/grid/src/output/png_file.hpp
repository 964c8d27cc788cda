// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>

namespace cartwright::grid {

using Rgb = std::array<std::uint8_t, 3>;

/// Writes red, green and blue of each pixel, rows from the top, exactly. The file appears whole or
/// not at all. Throws an input error where it can't be written.
void write_png(const std::filesystem::path& file, std::span<const unsigned char> pixels, int width,
               int height);

/// The same of pixels that are numbers of colours: a third of the bytes, and of the time.
void write_png(const std::filesystem::path& file, std::span<const std::uint8_t> pixels, int width,
               int height, std::span<const Rgb> colours);

}  // namespace cartwright::grid
