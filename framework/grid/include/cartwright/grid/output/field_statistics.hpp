// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/collectives.hpp>
#include <cartwright/grid/run/field_base.hpp>
#include <cartwright/grid/space/grid_description.hpp>

namespace cartwright::grid {

/// Of a field's numbers, or of the magnitudes of its vectors.
struct FieldStatistics {
  double minimum = 0;
  double maximum = 0;
  double mean = 0;
  double l2 = 0;  ///< root of the mean square
};

/// Collective. Of a field on `grid`: where cells are stretched, means are those of volumes. The
/// same bits on any number of ranks. NaN in the field makes all four NaN.
[[nodiscard]] FieldStatistics statistics(const comm::Collectives& comm, const GridDescription& grid,
                                         const FieldBase& field);

}  // namespace cartwright::grid
