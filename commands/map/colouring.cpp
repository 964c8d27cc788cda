// SPDX-License-Identifier: Apache-2.0
#include "colouring.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace cartwright::command {

namespace {

constexpr std::array<Colour, colours> palette{{{"#a6cee3", 153},
                                               {"#fdbf6f", 215},
                                               {"#b2df8a", 150},
                                               {"#fb9a99", 210},
                                               {"#cab2d6", 183},
                                               {"#ffff99", 228},
                                               {"#5aa5d6", 74},
                                               {"#ff9f40", 208},
                                               {"#66c266", 77},
                                               {"#e0e0e0", 254},
                                               {"#d9a679", 180},
                                               {"#7fd8d0", 116}}};

std::vector<std::set<int>> touching_nodes(const mapping::NodeMap& map) {
  std::vector<std::set<int>> touching(static_cast<std::size_t>(map.node_count));
  const mapping::FaceTable faces(map.shape);
  for (int position = 0; position < faces.positions(); ++position) {
    const int here = map.nodes[static_cast<std::size_t>(position)];
    for (std::size_t direction = 0; direction < faces.directions(); ++direction) {
      const int next = faces.of(position)[direction];
      if (next == faces.positions()) continue;
      const int there = map.nodes[static_cast<std::size_t>(next)];
      if (there != here) touching[static_cast<std::size_t>(here)].insert(there);
    }
  }
  return touching;
}

}  // namespace

Colour colour(int i) {
  return palette[static_cast<std::size_t>(i % colours)];
}

std::vector<int> colour_nodes(const mapping::NodeMap& map) {
  const auto touching = touching_nodes(map);
  std::vector<int> chosen(touching.size(), -1);
  std::array<int, colours> used{};
  for (std::size_t node = 0; node < chosen.size(); ++node) {
    std::array<int, colours> near{};
    for (const int other : touching[node]) {
      const int theirs = chosen[static_cast<std::size_t>(other)];
      if (theirs >= 0) ++near[static_cast<std::size_t>(theirs)];
    }
    // Fewest neighbours of that colour, then the one that was used least.
    std::size_t best = 0;
    for (std::size_t i = 1; i < near.size(); ++i) {
      if (near[i] < near[best] || (near[i] == near[best] && used[i] < used[best])) best = i;
    }
    chosen[node] = static_cast<int>(best);
    ++used[best];
  }
  return chosen;
}

std::vector<std::string> letter_nodes(int nodes) {
  static constexpr char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  constexpr int base = 52;
  std::size_t width = 1;
  for (long long room = base; room < nodes; room *= base) ++width;
  std::vector<std::string> names;
  for (int node = 0; node < nodes; ++node) {
    std::string name(width, 'A');
    int rest = node;
    for (std::size_t i = width; i-- > 0; rest /= base) name[i] = letters[rest % base];
    names.push_back(std::move(name));
  }
  return names;
}

}  // namespace cartwright::command
