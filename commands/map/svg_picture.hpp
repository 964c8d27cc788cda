// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/mapping/faces/node_map.hpp>
#include <iosfwd>
#include <string>
#include <vector>

namespace cartwright::command {

/// One grid of a picture, under its title.
struct MapPanel {
  std::string title;
  std::string subtitle;
  const mapping::NodeMap* map = nullptr;
};

/// Draws grids coloured by node, off-node faces as thick lines, with axes and a legend; the slices
/// of three-dimensional grids side by side.
void write_map_svg(std::ostream& out, const std::string& title,
                   const std::vector<MapPanel>& panels);

}  // namespace cartwright::command
