// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/elements/both_sides.hpp>
#include <cartwright/grid/space/index.hpp>

namespace cartwright::grid {

/// Light of a ray: red, green and blue times opacity, and opacity.
struct VolumePixel {
  float red = 0, green = 0, blue = 0, opacity = 0;
};

/// What is behind is seen through what is in front (Porter and Duff 1984): associative, and doesn't
/// commute.
struct Over {
  CARTWRIGHT_BOTH_SIDES VolumePixel operator()(const VolumePixel& front,
                                               const VolumePixel& behind) const {
    const float seen = 1 - front.opacity;
    return {front.red + seen * behind.red, front.green + seen * behind.green,
            front.blue + seen * behind.blue, front.opacity + seen * behind.opacity};
  }
};

}  // namespace cartwright::grid
