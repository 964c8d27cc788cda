// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/output/picture.hpp>

#include <filesystem>

namespace cartwright::grid {

/// As draw_picture(), of a 1-D field.
void draw_line_picture(const std::filesystem::path& file, const Slice& slice, ValueRange range,
                       const PictureText& words);

}  // namespace cartwright::grid
