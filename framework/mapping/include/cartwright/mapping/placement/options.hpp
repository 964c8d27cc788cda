// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/rt/schema.hpp>
#include <string>
#include <vector>

namespace cartwright::rt {
class Deck;
}

namespace cartwright::mapping {

/// Section `mapping` of a deck.
struct Options {
  std::string strategy = "auto";
  std::string topology;           ///< "" = the machine
  std::vector<int> process_grid;  ///< ranks along each axis, 0 = free; empty = all free
};

[[nodiscard]] rt::Schema<Options> schema();

/// Throws Deck::error for a topology that can't be read, and for a process grid that doesn't suit
/// the extents on any number of ranks.
void check_options(const rt::Deck& deck, const Options& options,
                   const std::vector<long long>& extents);

}  // namespace cartwright::mapping
