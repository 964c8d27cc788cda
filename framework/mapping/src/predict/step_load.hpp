// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/mapping/faces/node_map.hpp>
#include <cartwright/mapping/predict/node_channels.hpp>
#include <cartwright/mapping/predict/predict.hpp>
#include <span>
#include <vector>

#include "line_messages.hpp"

namespace cartwright::mapping {

/// Seconds, and what they are spent on.
struct LimitedTime {
  double seconds = 0.0;
  Limit limit = Limit::rank;
  void at_least(double other, Limit of) noexcept {
    if (other > seconds) *this = {other, of};
  }
};

/// Messages that move at the same time, all of the same length, as loads of ranks and nodes; equal
/// loads are kept once. (The most messages need not take longest: B(j) may fall and rise.)
class StepLoad {
 public:
  StepLoad(const NodeMap& map, std::span<const GridMessage> messages);
  /// Of `bytes` for each message.
  [[nodiscard]] LimitedTime time(const NodeChannels& channels, double bytes) const;

 private:
  struct Sent {
    int between = 0;
    int inside = 0;
    auto operator<=>(const Sent&) const = default;  // NOLINT(modernize-use-nullptr)
  };
  std::vector<Sent> ranks_, nodes_;
};

}  // namespace cartwright::mapping
