// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/layout.hpp>
#include <cartwright/plan/models/machine.hpp>
#include <cartwright/plan/schedule.hpp>
#include <cartwright/plan/simulation/noise.hpp>
#include <cartwright/plan/simulation/placement.hpp>
#include <cartwright/plan/simulation/timeline.hpp>

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace cartwright::plan {

/// In which order a rank does its steps.
enum class Execution : std::uint8_t {
  in_order,         ///< as listed
  by_dependencies,  ///< the first that may run (see dependencies.hpp), ties as listed
};

enum class Record : std::uint8_t {
  times,     ///< when each rank finishes
  traffic,   ///< and what it sends at each level
  timeline,  ///< and when each step begins and ends
};

struct SimulationOptions {
  Execution execution = Execution::in_order;
  Record record = Record::traffic;
  std::span<const Picoseconds> arrivals{};  ///< by rank; empty: all at 0
  Placement placement{};
  Noise noise{};
};

/// Messages sent.
struct Traffic {
  Count messages = 0;
  Count bytes = 0;
  friend bool operator==(const Traffic&, const Traffic&) = default;
};

/// What parts at a level of the machine.
struct LevelTraffic {
  std::string level;
  Traffic all;
  int busiest_unit = 0;  ///< the one that most bytes leave (then messages, then the first)
  Traffic busiest;
};

/// A simulated collective operation. Times count from 0, the beginning of arrivals.
struct Simulation {
  std::vector<Picoseconds> finish;  ///< by rank: its processor is done with the last step
  Picoseconds total = 0;            ///< the latest
  Picoseconds spread = 0;           ///< the latest less the earliest
  Count steps = 0;                  ///< sends, receives, combinations and copies of all ranks
  double wall_seconds = 0.0;        ///< that the simulation took, with the making of schedules
  std::vector<LevelTraffic> levels;
  std::vector<Traffic> sent;  ///< [rank * levels + level]
  Timeline timeline;          ///< only when recorded

  [[nodiscard]] const Traffic& sent_by(int rank, std::size_t level) const {
    return sent[static_cast<std::size_t>(rank) * levels.size() + level];
  }
};

/// Makes the schedule of one rank.
using ScheduleMaker = std::function<Schedule(int rank)>;
/// Makes the layout of one rank, for operations whose ranks cut their data differently.
using LayoutMaker = std::function<Layout(int rank)>;

/// Simulates a collective operation of `ranks` ranks on a machine, by the rules of network.hpp.
/// Deterministic, and exact in integer picoseconds. Beyond those rules:
/// - a combination takes reduce_byte_time per byte, and the last one of a round (of those that no
///   send stands between) reduce_overhead more; a copy takes copy_byte_time per byte; the last
///   receive of a round takes stage_overhead more;
/// - a burst are sends that follow each other in the list;
/// - the bytes of messages that share a channel (Level::leaving, Level::inside) take as long as it
///   lets them, not the network's byte time: each of j gets bandwidth B(j) / j;
/// - a step may overwrite what was sent as soon as the processor is done with the send;
/// - steps without data are left out, unless the schedule is one of signals, whose messages have no
///   bytes.
/// Schedules are made one after the other, and kept in 12 bytes a step. Throws std::runtime_error,
/// naming ranks, when one waits for a message that never comes or a message is left over;
/// std::invalid_argument when the machine has no room for the ranks, or its levels make no sense.
Simulation simulate(int ranks, const ScheduleMaker& make, const Layout& layout,
                    std::size_t element_size, const Machine& machine,
                    const SimulationOptions& options = {});
Simulation simulate(int ranks, const ScheduleMaker& make, const LayoutMaker& layout,
                    std::size_t element_size, const Machine& machine,
                    const SimulationOptions& options = {});

/// One level of ranks that all cost the same: for tests, pictures and models without a hierarchy.
Machine flat_machine(Network network, double reduce_overhead = 0.0, double reduce_byte_time = 0.0);
/// Every step takes 1 s, and so does every message on its way: for pictures of schedules.
Machine unit_machine();

}  // namespace cartwright::plan
