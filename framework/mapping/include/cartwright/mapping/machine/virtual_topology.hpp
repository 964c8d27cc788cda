// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/mapping/machine/topology.hpp>
#include <string_view>

namespace cartwright::mapping {

/// A machine that is imagined, so that mappings and node-aware algorithms run for real on few
/// cores.
struct VirtualTopology {
  int nodes = 1;
  int packages = 1;  ///< per node
  int numas = 1;     ///< per package
  int l3s = 1;       ///< per NUMA node
  int cores = 1;     ///< per L3

  /// Reads "node:4 core:2" or "node:2 package:2 numa:1 l3:1 core:4": levels from the outside in,
  /// node and core required. Throws an input error (reach: all ranks).
  [[nodiscard]] static VirtualTopology parse(std::string_view spec);
  [[nodiscard]] long long cores_per_node() const noexcept;
  /// Throws an input error (reach: all ranks) if there are more ranks than imagined cores.
  void require_room(int ranks) const;
  /// Where `rank` sits when ranks fill the nodes one after another.
  [[nodiscard]] Place place(int rank) const noexcept;
};

/// Replaces what `topology` says of nodes by the imagined ones, which must have room for its ranks.
void lay_over(const VirtualTopology& imagined, int rank, Topology& topology);

}  // namespace cartwright::mapping
