// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/mapping/faces/node_map.hpp>
#include <string>

namespace cartwright::command {

/// The grid as lines of text: a letter for each node, lines between nodes; coloured fields if
/// `coloured`. Empty if it doesn't fit into so many columns (or a few screens).
std::string text_picture(const mapping::NodeMap& map, bool coloured, int columns);

}  // namespace cartwright::command
