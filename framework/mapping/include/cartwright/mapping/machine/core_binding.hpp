// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/mapping/machine/binding.hpp>
#include <cartwright/mapping/machine/topology.hpp>
#include <cartwright/rt/communicator.hpp>
#include <vector>

namespace cartwright::mapping {

/// What the ranks of one node find out together.
struct NodeSurvey {
  Place here;       ///< all but the node's number
  int cores = 1;    ///< cores that at least one of these ranks may use
  Binding binding;  ///< of the ranks of this node only
};

/// Collective over the ranks of one node. The first of them reads the hardware (hwloc) for all.
/// `cpus`: the processors on which this rank may run.
[[nodiscard]] NodeSurvey survey_node(const rt::Communicator& node, std::vector<int> cpus);

}  // namespace cartwright::mapping
