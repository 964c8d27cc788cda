// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

namespace cartwright::bench {

/// Bodies as arrays; accelerations over G are added to.
struct BodyArrays {
  const double *x, *y, *z, *mass;
};

/// All pairs by hand, in the instructions of the processor that this is compiled for: lanes of
/// targets, sums as plain numbers. `targets`: a multiple of 8.
void add_gravity_by_hand(const BodyArrays& bodies, std::size_t targets, std::size_t sources,
                         double softening_squared, std::array<double*, 3> sums);

}  // namespace cartwright::bench
