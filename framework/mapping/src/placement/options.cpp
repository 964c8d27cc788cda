// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cartwright/mapping/machine/virtual_topology.hpp>
#include <cartwright/mapping/placement/options.hpp>
#include <cartwright/rt/deck.hpp>

namespace cartwright::mapping {

rt::Schema<Options> schema() {
  return {
      rt::key("strategy", &Options::strategy)
          .choices({"auto", "identity", "tile"})
          .about("how ranks are placed on the process grid: auto takes the order with the fewest "
                 "faces at the busiest node, then between all nodes, identity keeps the order of "
                 "ranks, tile gives each node a compact block"),
      rt::key("topology", &Options::topology)
          .example("node:4 core:2")
          .about("a virtual machine laid over the ranks, to try a mapping without the machine; "
                 "empty: the real one"),
      rt::key("process_grid", &Options::process_grid)
          .minimum(0)
          .example("[4, 0]")
          .about("ranks along each axis, 0 = free; empty: the grid with the least halo"),
  };
}

void check_options(const rt::Deck& deck, const Options& options,
                   const std::vector<long long>& extents) {
  if (!options.topology.empty()) {
    try {
      (void)VirtualTopology::parse(options.topology);
    } catch (const rt::Error& error) {
      throw deck.error("mapping.topology", error.what(), error.advice());
    }
  }
  const std::string key = "mapping.process_grid";
  const auto& ranks = options.process_grid;
  if (!ranks.empty() && ranks.size() != extents.size())
    throw deck.error(
        key,
        fmt::format("'{}' has {} element{}, but the grid has {} ax{}s", key, ranks.size(),
                    ranks.size() == 1 ? "" : "s", extents.size(), extents.size() == 1 ? "i" : "e"),
        "Give one entry an axis; 0 leaves an axis free.");
  for (std::size_t axis = 0; axis < ranks.size(); ++axis)
    if (ranks[axis] > extents[axis])
      throw deck.error(
          key, fmt::format("'{}' wants {} ranks along axis {}, which has {} cell{}", key,
                           ranks[axis], "xyz"[axis], extents[axis], extents[axis] == 1 ? "" : "s"));
}

}  // namespace cartwright::mapping
