// SPDX-License-Identifier: Apache-2.0
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/linear/multigrid/spread.hpp>

namespace cartwright::linear {

Spread spread_of(const grid::GridBase& fine, const grid::Cuts& cuts,
                 const MultigridOptions& options) {
  const int ranks = fine.comm().size();
  if (ranks == 1) return {};
  long long cells = 1;
  bool has_empty = false;
  for (const auto& of_axis : cuts) {
    cells *= of_axis.back();
    for (std::size_t part = 1; part < of_axis.size(); ++part)
      has_empty = has_empty || of_axis[part] == of_axis[part - 1];
  }
  if (cells <= options.gather_below) return {Spread::Over::every_rank};
  if (!has_empty && cells >= options.cells_per_rank * ranks) return {};
  Spread spread{Spread::Over::fewer_ranks,
                grid::joined_blocks(cuts, fine.off_node_pairs(), options.cells_per_rank)};
  if (grid::count_of(spread.groups) == ranks) return {};
  return spread;
}

}  // namespace cartwright::linear
