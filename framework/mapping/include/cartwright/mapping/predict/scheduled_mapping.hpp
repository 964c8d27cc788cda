// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/mapping/predict/predict.hpp>
#include <cartwright/mapping/search/choose_mapping.hpp>
#include <span>
#include <string>
#include <vector>

namespace cartwright::mapping {

/// What a program does on its grid, over and over: so many halo exchanges, and so many times one
/// broadcast along every line of every axis.
struct GridWorkload {
  std::vector<double> face_bytes = {};  ///< of a halo exchange, by axis (or one for all)
  double halos = 0.0;
  double line_bytes = 0.0;  ///< of a broadcast
  double broadcasts = 0.0;
};

/// A mapping with the schedule of its broadcasts, and what both take together.
struct ScheduledMapping {
  MappingCandidate mapping;
  AxisPrediction broadcast;   ///< once
  double halo_seconds = 0.0;  ///< once
  double seconds = 0.0;       ///< the whole workload
  std::string explanation;    ///< two lines: what was chosen and why; what it was compared with
};

/// The best schedule of one mapping.
[[nodiscard]] ScheduledMapping schedule(const MappingCandidate& mapping,
                                        const NodeChannels& channels, const GridWorkload& workload);

/// Predictions can't tell less than this apart.
inline constexpr double clear_gain = 1.1;

/// The pair that takes least. The mapping whose busiest node has the fewest faces (of those with
/// few in all: see choose_mapping.hpp) isn't always the quickest, since overlapped broadcasts load
/// nodes in another way (on machines whose nodes have few channels inside, ranks in their order
/// win), but another one has to be quicker by `clear_gain`. Of equal ones the first. `candidates`:
/// at least one.
[[nodiscard]] ScheduledMapping choose_mapping_and_schedule(
    std::span<const MappingCandidate> candidates, const NodeChannels& channels,
    const GridWorkload& workload);

/// The same over all strategies and the search.
[[nodiscard]] ScheduledMapping choose_mapping_and_schedule(const MappingRequest& request,
                                                           const NodeChannels& channels,
                                                           const GridWorkload& workload);

}  // namespace cartwright::mapping
