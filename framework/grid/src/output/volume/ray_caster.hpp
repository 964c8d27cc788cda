// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/field/field_view.hpp>
#include <cartwright/grid/kernels/rows.hpp>
#include <cartwright/grid/output/volume/camera.hpp>
#include <cartwright/grid/output/volume/pixel.hpp>
#include <cstdint>

namespace cartwright::grid {

/// A rank's block of a field as rays see it: numbers by global places, with one layer of ghosts
/// around.
struct VolumeBlock {
  FieldView<const float, 3> values;
  double origin[3]{}, inverse_width[3]{};  ///< of cells
  float relative_slope[3]{};               ///< inverse_width, of the finest axis 1
  double shift[3]{};     ///< where in its cell a point is: 0.5, or 0 for nodal ones
  long long start[3]{};  ///< first cell, and first point
  long long count[3]{};  ///< cells: samples in them are this rank's
};

/// What becomes of values: see TransferFunction::table.
struct Shading {
  const VolumePixel* table = nullptr;  ///< where kernels run
  int entries = 0;
  float lower = 0;
  float scale = 0;  ///< entries a unit of the value
  float opaque = 1;
  bool light = false;
  float steepness = 1;  ///< times a gradient, per cell: from 1 on light counts in full
};

/// Of those pixels of `box` that lie in `part`, written into memory of box.pixels() elements: the
/// light of this rank's samples from front to back, or the largest of their values (-infinity where
/// there is none). Values that are not finite are as if there was nothing. Returns how many samples
/// were taken.
std::int64_t cast_over(const VolumeBlock& block, const Camera& camera, const Shading& shading,
                       const PixelBox& box, const PixelBox& part, VolumePixel* pixels);
std::int64_t cast_maximum(const VolumeBlock& block, const Camera& camera, const PixelBox& box,
                          const PixelBox& part, float* values);

}  // namespace cartwright::grid
