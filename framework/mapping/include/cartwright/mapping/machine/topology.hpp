// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/mapping/machine/binding.hpp>
#include <cartwright/rt/binding.hpp>
#include <cartwright/rt/communicator.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace cartwright::mapping {

/// Where a rank sits. -1 means unknown: the rank may run in several of them.
struct Place {
  int node = 0;
  int slot_on_node = 0;  ///< ranks of a node counted in the order of package, NUMA node, L3, core
  int package = -1;
  int numa = -1;
  int l3 = -1;
  int core = -1;
};

/// What one rank knows of the machine. Nothing in it grows with the number of ranks of the job,
/// only with those of one node. All but `here`, `rank`, `node_size`, `first_slot`, `ranks_on_node`
/// and `cores_on_node` is the same on every rank.
struct Topology {
  Place here;
  int rank = 0;  ///< in the communicator that was asked
  int ranks = 1;
  int nodes = 1;
  int node_size = 1;      ///< ranks on my node
  int smallest_node = 1;  ///< ranks on the node with the fewest
  int largest_node = 1;
  int first_slot = 0;  ///< ranks on all nodes before mine
  bool is_virtual = false;
  int machine_nodes = 1;  ///< real nodes, also below a virtual topology
  int cores_on_node = 1;  ///< of the real node, available to this job
  bool oversubscribed =
      false;  ///< somewhere, more ranks than cores; nodes of one machine count together
  std::vector<int> ranks_on_node;  ///< sorted, my own among them
  Binding binding;

  /// Ranks counted node by node, in the order of slots: a permutation of 0 … ranks - 1.
  [[nodiscard]] int slot() const noexcept { return first_slot + here.slot_on_node; }
  [[nodiscard]] bool is_uniform() const noexcept { return smallest_node == largest_node; }
  /// True if rank `other` (of the communicator that was asked) shares my node.
  [[nodiscard]] bool is_on_my_node(int other) const noexcept;
  /// "8 ranks on 4 nodes of 2 (virtual topology over 1 real node)".
  [[nodiscard]] std::string describe() const;
};

/// Collective. `virtual_spec`: "" is the real machine; "node:4 core:2" lays four nodes of two cores
/// over the ranks, which fill them in order of rank. `cpus`: the processors on which this rank
/// runs: the union over its threads, if it has several (an OpenMP runtime may have pinned the
/// caller already). Throws an input error on all ranks if the text can't be read or holds fewer
/// cores than ranks.
[[nodiscard]] Topology discover(const rt::Communicator& comm, std::string_view virtual_spec = {},
                                const std::vector<int>& cpus = rt::cpu_set());

}  // namespace cartwright::mapping
