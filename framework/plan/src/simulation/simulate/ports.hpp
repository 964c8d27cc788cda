// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "costs.hpp"

namespace cartwright::plan::simulation {

/// When the ports of all ranks are free, by rank and level.
class Ports {
 public:
  static constexpr Picoseconds unknown = std::numeric_limits<Picoseconds>::max();

  Ports(int ranks, const Machine& machine) {
    for (const Level& level : machine.levels) {
      first_.push_back(each_);
      each_ += static_cast<std::size_t>(std::max(level.ports, 1));
    }
    first_.push_back(each_);
    free_.resize(static_cast<std::size_t>(ranks) * each_, 0);
  }

  /// The port that is free first.
  [[nodiscard]] std::size_t first_free(int rank, std::int32_t level) const {
    const std::size_t base = static_cast<std::size_t>(rank) * each_;
    std::size_t best = base + first_[static_cast<std::size_t>(level)];
    const std::size_t end = base + first_[static_cast<std::size_t>(level) + 1];
    for (std::size_t port = best + 1; port < end; ++port)
      if (free_[port] < free_[best]) best = port;
    return best;
  }

  [[nodiscard]] Picoseconds free_at(std::size_t port) const { return free_[port]; }
  void set_free_at(std::size_t port, Picoseconds time) { free_[port] = time; }

  /// Sends a message that is ready through a port; returns when it takes it. A burst may run ahead
  /// of the port by `tolerance`: so its first messages pass without a gap.
  Picoseconds pass(std::size_t port, const StepCost& cost, Picoseconds ready) {
    Picoseconds& free = free_[port];
    if (cost.begins_burst) free = 0;
    const Picoseconds taken = std::max(ready, free - cost.tolerance);
    free = std::max(free, taken) + cost.hold;
    return taken;
  }

 private:
  std::vector<std::size_t> first_;  // by level
  std::size_t each_ = 0;            // ports of a rank
  std::vector<Picoseconds> free_;
};

}  // namespace cartwright::plan::simulation
