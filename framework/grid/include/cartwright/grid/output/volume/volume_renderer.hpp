// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/output/picture.hpp>
#include <cartwright/grid/output/volume/camera.hpp>
#include <cartwright/grid/output/volume/pixel.hpp>
#include <cartwright/grid/run/field_base.hpp>
#include <cartwright/grid/run/volume_options.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace cartwright::rt {
class Report;
}

namespace cartwright::grid {

/// A picture of a field, on rank 0: without background, outline and words.
struct VolumeImage {
  Camera camera;
  PixelBox box;                     ///< the part of the picture that the grid may cover
  std::vector<VolumePixel> pixels;  ///< of the box, row by row
  ValueRange range;                 ///< values at the ends of the colours
};

/// Draws a 3-D field from all ranks (sort-last): each casts rays through its own block, and the
/// parts are put over each other in the order of depth, or their maximum is taken, by a reduction.
/// Samples lie at places that follow from the camera alone, and values between points from global
/// numbers: pictures are the same on any number of ranks, up to rounding (1/255 at the most).
class VolumeRenderer {
 public:
  /// Collective. `field` is on a 3-D grid of equal cells; it and `options` must outlive this.
  /// Throws input errors on all ranks.
  VolumeRenderer(const FieldBase& field, const VolumeOptions& options);
  VolumeRenderer(const VolumeRenderer&) = delete;
  VolumeRenderer& operator=(const VolumeRenderer&) = delete;
  ~VolumeRenderer();

  /// Collective. Takes the field's present values (of vectors, magnitudes), and their range where
  /// the deck has none.
  void load();
  /// Collective. One frame of the orbit of what was loaded. The pixels are rank 0's.
  [[nodiscard]] VolumeImage draw(long long frame);
  /// Collective. Frames, samples a second, how unevenly ranks were busy, and who has composited:
  /// section "render".
  void report(rt::Report& report) const;

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace cartwright::grid
