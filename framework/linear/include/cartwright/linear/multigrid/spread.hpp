// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/field/grid_base.hpp>
#include <cartwright/grid/space/joined_blocks.hpp>
#include <cartwright/linear/solve/options.hpp>

namespace cartwright::linear {

/// Which ranks have the cells of a coarser grid.
struct Spread {
  enum class Over {
    same_ranks,
    fewer_ranks,  ///< groups of neighbours send theirs to one of them
    every_rank,   ///< each has all of them
  };
  Over over = Over::same_ranks;
  grid::BlockGroups groups{};  ///< fewer ranks: which
};

/// Collective, alike on all ranks of `fine`. `cuts` are those of the coarser grid where nothing is
/// redistributed: some blocks may be empty.
[[nodiscard]] Spread spread_of(const grid::GridBase& fine, const grid::Cuts& cuts,
                               const MultigridOptions& options);

}  // namespace cartwright::linear
