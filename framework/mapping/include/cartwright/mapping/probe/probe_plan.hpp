// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/mapping/probe/probe_samples.hpp>
#include <string>
#include <utility>
#include <vector>

namespace cartwright::mapping {

/// How much to measure.
struct ProbeEffort {
  bool quick = false;
  int most_ranks = 48;                         ///< between all of which single messages are timed
  plan::Count scan_bytes = 16'384;             ///< of those messages
  plan::Count largest = plan::Count{4} << 20;  ///< message
  plan::Count window_bytes = plan::Count{32} << 20;  ///< most bytes under way from one rank
  int most_targets = 16;                             ///< of a multicast, and messages of a burst
  int representatives = 3;  ///< pairs on which a level is measured one by one

  [[nodiscard]] static ProbeEffort small();
};

/// Ranks in pairs that part at a level and have no rank in common: of two neighbouring units, or
/// of the units inside one. The longest such list.
[[nodiscard]] std::vector<std::pair<int, int>> disjoint_pairs(const ProbeHierarchy& hierarchy,
                                                              std::size_t level);

/// A rank and all that part from it at a level, in order; the rank with the most.
[[nodiscard]] std::vector<int> root_and_targets(const ProbeHierarchy& hierarchy, std::size_t level);

/// Scans of all ordered pairs of ranks.
[[nodiscard]] std::vector<ProbeSpec> scan_plan(const std::vector<int>& ranks,
                                               const ProbeEffort& effort);
/// All measurements of all levels, and of memory. The same on every rank.
[[nodiscard]] std::vector<ProbeSpec> level_plan(const ProbeHierarchy& hierarchy,
                                                const ProbeEffort& effort);

/// "ping-pong of 16384 B between ranks 0 and 1 (node)": for progress and errors.
[[nodiscard]] std::string describe(const ProbeSpec& spec, const ProbeHierarchy& hierarchy);

}  // namespace cartwright::mapping
