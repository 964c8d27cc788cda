// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/rt/schema.hpp>
#include <string>
#include <vector>

namespace cartwright::mapping {

/// Section `mapping` of a deck.
struct Options {
  std::string strategy = "auto";
  std::string topology;           ///< "" = the machine
  std::vector<int> process_grid;  ///< ranks along each axis, 0 = free; empty = all free
};

[[nodiscard]] rt::Schema<Options> schema();

}  // namespace cartwright::mapping
