// SPDX-License-Identifier: Apache-2.0
#include <cartwright/mapping/options.hpp>

namespace cartwright::mapping {

rt::Schema<Options> schema() {
  return {
      rt::key("strategy", &Options::strategy)
          .choices({"auto", "identity", "tile"})
          .about("how ranks are placed on the process grid: auto takes the order with the fewest "
                 "faces between nodes, identity keeps the order of ranks, tile gives each node a "
                 "compact block"),
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

}  // namespace cartwright::mapping
