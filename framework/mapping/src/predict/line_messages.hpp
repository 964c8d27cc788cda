// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/mapping/faces/judge.hpp>
#include <cartwright/mapping/faces/node_map.hpp>
#include <cstddef>
#include <vector>

namespace cartwright::mapping {

/// A message between two positions of the grid.
struct GridMessage {
  int from = 0;
  int to = 0;
};

/// Messages of a broadcast along every line of an axis, from position 0 of each: by step. The
/// edges of a chain all carry something at the same time: one step.
[[nodiscard]] std::vector<std::vector<GridMessage>> line_messages(const NodeMap& map,
                                                                  std::size_t axis, LineTree tree);

}  // namespace cartwright::mapping
