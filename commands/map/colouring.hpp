// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/mapping/faces/node_map.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace cartwright::command {

/// A colour of pictures, on paper and on terminals.
struct Colour {
  const char* web;
  int terminal;  ///< of 256
};
/// Colour `i`; few of them, all light enough for black letters.
Colour colour(int i);
inline constexpr int colours = 12;

/// A colour for each node, such that nodes that touch have different ones where possible.
std::vector<int> colour_nodes(const mapping::NodeMap& map);

/// A name for each node: A … Z, a … z, or as many letters as it takes.
std::vector<std::string> letter_nodes(int nodes);

}  // namespace cartwright::command
