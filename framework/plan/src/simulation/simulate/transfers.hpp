// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/simulation/placement.hpp>

#include <cstdint>
#include <queue>
#include <unordered_map>
#include <vector>

#include "channel.hpp"
#include "costs.hpp"
#include "ports.hpp"

namespace cartwright::plan::simulation {

/// A message that goes through a shared channel.
struct Transfer {
  std::int32_t from = 0;
  std::int32_t to = 0;
  std::int32_t number = 0;
  std::uint32_t cost = 0;
  Picoseconds ready = 0;  ///< the processor is done with it
  std::size_t port = 0;
  std::size_t record = 0;  ///< in the timeline
};

/// Messages on their way through channels that they share, in order of time; those of equal time in
/// order of channels, then of senders.
class Transfers {
 public:
  Transfers(int ranks, const CostTable& table, const Machine& machine, const Placement& placement,
            Ports& ports);

  void start(const Transfer& transfer);
  [[nodiscard]] bool idle() const { return events_.empty(); }
  /// When something happens next, unless idle.
  [[nodiscard]] Picoseconds next_time() const { return events_.top().time; }
  /// Goes on to the next time at which something happens. True when a message has left its channel,
  /// which `done` and `through` then are.
  bool advance(Transfer& done, Picoseconds& through);

 private:
  struct Event {
    Picoseconds time = 0;
    std::uint64_t order = 0;  // channel, or channels + sender
    std::uint32_t subject = 0;
    bool operator<(const Event& other) const {  // the earliest is on top
      return time != other.time ? time > other.time : order > other.order;
    }
  };

  [[nodiscard]] const StepCost& cost(const Transfer& transfer) const {
    return table_->costs()[transfer.cost];
  }
  static constexpr Picoseconds nothing = -1;
  static constexpr std::uint32_t none = ~0u;
  struct Way {
    Channel channel;
    Picoseconds expected = nothing;  // the time of the event at which to look at it
  };
  struct WaysOfLevel {
    std::uint32_t first = 0;
    std::size_t owner = 0;  // level of the units that have one each
  };
  struct Queue {
    std::uint32_t first = none;
    std::uint32_t last = none;
  };

  [[nodiscard]] std::uint32_t way_of(const Transfer& transfer) const;
  void wait_for_port(std::uint32_t id);
  void take_port(std::uint32_t id, std::size_t port);
  void release_port(const Transfer& transfer, Picoseconds time);
  void enter(std::uint32_t id, Picoseconds time);
  void expect_exit(std::uint32_t number);

  const CostTable* table_;
  const Machine* machine_;
  const Placement* placement_;
  Ports* ports_;
  std::vector<Way> ways_;              // of all units that have channels
  std::vector<WaysOfLevel> of_level_;  // of messages of each level
  std::vector<std::uint32_t> next_;    // by transfer: behind it in its queue
  std::vector<Transfer> transfers_;
  std::vector<std::uint32_t> unused_;
  std::unordered_map<std::uint64_t, Queue> queues_;  // by sender and level
  std::priority_queue<Event> events_;
};

}  // namespace cartwright::plan::simulation
