// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <span>

namespace cartwright::grid {

/// Writes red, green and blue of each pixel, rows from the top, exactly. The file appears whole or
/// not at all. Throws an input error where it can't be written.
void write_png(const std::filesystem::path& file, std::span<const unsigned char> pixels, int width,
               int height);

}  // namespace cartwright::grid
