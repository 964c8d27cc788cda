// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/mapping/machine/topology.hpp>
#include <cartwright/plan/models/machine.hpp>
#include <cartwright/rt/runtime.hpp>
#include <string>

namespace cartwright::grid {

/// Bytes a second that 1, 2, … cores of this node read and write together, as far as this process
/// may run on them: the triad a = b + s c on arrays that don't fit into caches, what a store
/// fetches first not counted. Takes some tenths of a second.
[[nodiscard]] plan::Concurrency measured_memory();

/// Bytes a second that one node writes to files: a round number.
inline constexpr double usual_files = 1e9;

/// Collective. Nodes like this one, as many as it takes: as `cartwright probe` measured them with a
/// rank on each core, else round numbers; with `memory`.
[[nodiscard]] plan::Machine machine_here(const mapping::Topology& topology,
                                         const plan::Concurrency& memory);

/// A machine that is described, by name or file. Throws an input error (all ranks).
[[nodiscard]] plan::Machine described_machine(const std::string& name);

}  // namespace cartwright::grid
