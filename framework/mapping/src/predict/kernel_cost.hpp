// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/mapping/predict/step_profile.hpp>
#include <cartwright/plan/models/machine.hpp>

namespace cartwright::mapping {

/// Cores of a node: all of the machine where it has one level.
[[nodiscard]] int cores_of_node(const plan::Machine& machine);
/// Nodes that the machine has; 0: as many as it takes.
[[nodiscard]] long long nodes_of(const plan::Machine& machine);

/// Seconds of a step's kernels on a machine, of a rank with a core of its own.
struct KernelTime {
  double kernels = 0.0, boundary = 0.0, loop = 0.0;
  bool by_memory = false;
};

/// Cores are taken to be as quick as the one that was measured. What a block takes longer for each
/// cell than the quickest sample is time that memory takes: it goes as the bandwidth of a rank when
/// `busy` of them compute. `steps` are made while the values are in caches.
[[nodiscard]] KernelTime kernel_time(const StepProfile& profile, const plan::Machine& machine,
                                     double cells, int busy, int steps);

}  // namespace cartwright::mapping
