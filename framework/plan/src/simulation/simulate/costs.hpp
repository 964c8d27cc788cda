// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/models/time.hpp>
#include <cartwright/plan/simulation/placement.hpp>
#include <cartwright/plan/step.hpp>

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace cartwright::plan::simulation {

/// What a step costs. Steps of one kind, size and level share it.
struct StepCost {
  Picoseconds processor = 0;  ///< the processor is busy
  Picoseconds combining = 0;  ///< part of processor: work on the data
  Picoseconds hold = 0;       ///< send: the port is held
  Picoseconds flight = 0;     ///< send: from the port to the receiver
  Picoseconds tolerance = 0;  ///< send: so much earlier than the port is free it may pass
  Picoseconds gap = 0;        ///< send: part of hold that isn't bytes
  Picoseconds latency = 0;    ///< send: part of flight that isn't bytes
  Count bytes = 0;
  Count timed_bytes = 0;  ///< send: bytes that take time
  std::int32_t level = 0;
  bool begins_burst = false;     ///< send: earlier messages don't hold it up
  bool shares_channel = false;   ///< send
  bool bytes_hold_port = false;  ///< send
};

/// What tells the costs of two steps apart.
struct CostKey {
  StepKind kind = StepKind::copy;
  bool marked = false;      ///< send: the first of a burst; combine: the last of a round
  bool ends_stage = false;  ///< the last receive of a round, where that matters
  std::int32_t level = 0;   ///< of a message
  std::int32_t burst = 0;   ///< sends in the burst; 0 where it doesn't matter
  Count bytes = 0;
  friend bool operator==(const CostKey&, const CostKey&) = default;
};

/// The costs of all steps that occur, by number.
class CostTable {
 public:
  explicit CostTable(const Machine& machine);

  /// Number of the cost with that key.
  std::uint32_t find(const CostKey& key) {
    Recent& recent = recent_[slot(key)];
    if (recent.number != none && recent.key == key) return recent.number;
    recent = {key, find_or_add(key)};
    return recent.number;
  }
  /// Whether a send's cost depends on its burst.
  [[nodiscard]] bool burst_counts(std::int32_t level) const {
    return bursts_[static_cast<std::size_t>(level)];
  }
  [[nodiscard]] const std::vector<StepCost>& costs() const { return costs_; }
  /// Whether any message holds a port, or a burst runs ahead of one.
  [[nodiscard]] bool any_hold() const { return any_hold_; }

 private:
  static constexpr std::uint32_t none = ~0u;
  struct Recent {
    CostKey key;
    std::uint32_t number = none;
  };
  struct Hash {
    std::size_t operator()(const CostKey& key) const { return mix(key); }
  };

  static std::size_t mix(const CostKey& key);
  static std::size_t slot(const CostKey& key) { return mix(key) >> 56; }
  std::uint32_t find_or_add(const CostKey& key);
  [[nodiscard]] StepCost cost_of(const CostKey& key) const;
  [[nodiscard]] StepCost send_cost(const CostKey& key) const;

  const Machine* machine_;
  std::vector<bool> bursts_;  // by level
  std::array<Recent, 256> recent_;
  std::unordered_map<CostKey, std::uint32_t, Hash> numbers_;
  std::vector<StepCost> costs_;
  bool any_hold_ = false;
};

/// Throws std::invalid_argument when the machine has no room for the ranks.
void check_room(int ranks, const Machine& machine, const Placement& placement);

}  // namespace cartwright::plan::simulation
