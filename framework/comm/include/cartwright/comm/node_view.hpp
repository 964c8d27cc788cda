// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/mapping/topology.hpp>
#include <cartwright/rt/communicator.hpp>
#include <functional>

namespace cartwright::comm {

/// Which ranks of a communicator are on my node: of the virtual topology, if there is one. Holds
/// nothing that grows with the number of ranks.
struct NodeView {
  std::function<bool(int rank)> is_on_my_node;
  bool one_node = false;  ///< all of them are; the same on all ranks

  /// Nobody else is on this rank's node.
  [[nodiscard]] static NodeView apart();
  /// Of a communicator whose ranks are among those of `parent`, for which `topology` was
  /// discovered. O(ranks of my node).
  [[nodiscard]] static NodeView of(const rt::Communicator& comm, const rt::Communicator& parent,
                                   const mapping::Topology& topology);
};

}  // namespace cartwright::comm
