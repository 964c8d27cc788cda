// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/mapping/machine/topology.hpp>
#include <cartwright/mapping/probe/probe_plan.hpp>
#include <cartwright/mapping/probe/probe_repetition.hpp>
#include <cartwright/mapping/probe/probe_samples.hpp>
#include <cartwright/rt/communicator.hpp>
#include <functional>
#include <string>
#include <vector>

namespace cartwright::mapping {

/// Told before each measurement, on every rank: how many are done, of how many as far as is known,
/// and what comes.
using ProbeObserver = std::function<void(int done, int all, const std::string& next)>;

/// Collective: measures the machine. First messages between all pairs of ranks (of at most
/// `most_ranks`), of which groups are made; then all tests at each level. The first rank gets
/// hierarchy and records, the others only the hierarchy. Throws an input error on all ranks if
/// there is only one.
[[nodiscard]] ProbeSamples survey(const rt::Communicator& comm, const Topology& topology,
                                  const ProbeEffort& effort, const RepetitionRule& rule,
                                  const ProbeObserver& observe = {});

}  // namespace cartwright::mapping
