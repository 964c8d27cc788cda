// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/output/picture.hpp>
#include <cartwright/grid/output/volume/volume_renderer.hpp>
#include <cartwright/grid/space/grid_description.hpp>
#include <filesystem>
#include <vector>

namespace cartwright::grid {

/// Red, green and blue of the view alone, on white, rows from the top; what the 1/255 of
/// VolumeRenderer means.
[[nodiscard]] std::vector<unsigned char> view_pixels(const VolumeImage& image);

/// Draws the view with the grid's edges behind and in front of it, a colour bar and words, as a PNG
/// file, which appears whole or not at all. Throws an input error where it can't be written.
void draw_volume_picture(const std::filesystem::path& file, const VolumeImage& image,
                         const VolumeOptions& options, const GridDescription& grid,
                         const PictureText& text);

}  // namespace cartwright::grid
