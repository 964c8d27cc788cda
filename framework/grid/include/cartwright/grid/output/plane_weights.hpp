// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/run/grid_options.hpp>
#include <cartwright/grid/space/grid_spec.hpp>

namespace cartwright::grid {

/// What Run::plane_weights() gives, without communication: of a large grid from some of its cells,
/// or nothing where they would have to be read. For --dry-run and --check.
[[nodiscard]] PlaneWeights estimated_plane_weights(const GridDescription& grid,
                                                   const WeightOptions& options,
                                                   const FormulaConstants& constants);

}  // namespace cartwright::grid
