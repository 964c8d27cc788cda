// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/mapping/faces/judge.hpp>
#include <cartwright/mapping/faces/node_map.hpp>
#include <cartwright/mapping/predict/node_channels.hpp>
#include <string>
#include <vector>

namespace cartwright::mapping {

/// Seconds of a halo exchange: every position sends `face_bytes[axis]` (of one entry: along every
/// axis) to each neighbour, all at once. The slowest of: what a rank sends, one message after the
/// other; what leaves a node, at its B(j); what stays inside a node, likewise.
[[nodiscard]] double halo_time(const NodeMap& map, const NodeChannels& channels,
                               const std::vector<double>& face_bytes);

/// How one broadcast along every line of every axis is run (each axis has a buffer of its own).
struct AxisSchedule {
  LineTree tree = LineTree::chain;
  bool overlapped = false;  ///< all axes at once, each progressed by itself; else one by one
  double segment = 0.0;     ///< bytes, of a chain; 0: the best
  /// "chains of 64 KiB, overlapped".
  [[nodiscard]] std::string describe() const;
};

/// What keeps an operation from being quicker.
enum class Limit { rank, between_nodes, inside_nodes };

struct AxisPrediction {
  AxisSchedule schedule;
  double seconds = 0.0;
  Limit limit = Limit::rank;
};

/// Time of the broadcasts of `bytes` along all lines of all axes, from position 0 of each line, by
/// channel balance (Karlsson 2012, 5.3, with the load of the node that is really busiest). A chain
/// takes (p - 2 + m / s) steps of all its edges at once; a tree one step a round. Overlapped: the
/// steps of all axes at once, but p - 2 those of one axis alone, of that where they take longest.
/// Messages of one rank go out one after the other, and are on their way together.
[[nodiscard]] AxisPrediction axis_time(const NodeMap& map, const NodeChannels& channels,
                                       AxisSchedule schedule, double bytes);

/// Of one axis alone.
[[nodiscard]] AxisPrediction axis_time(const NodeMap& map, const NodeChannels& channels,
                                       AxisSchedule schedule, double bytes, std::size_t axis);

/// Chains and low-bit binomial trees, in turn and overlapped: in this order.
[[nodiscard]] std::vector<AxisPrediction> axis_times(const NodeMap& map,
                                                     const NodeChannels& channels, double bytes);

/// Whether the broadcasts had better run along all axes at the same time, by the best of these
/// trees for each. Where nobody knows how many messages leave a node at once, it is taken to have
/// one link, as quick as one message.
[[nodiscard]] bool overlap_pays(const NodeMap& map, NodeChannels channels, double bytes);

}  // namespace cartwright::mapping
