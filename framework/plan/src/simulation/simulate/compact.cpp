// SPDX-License-Identifier: Apache-2.0
#include "compact.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace cartwright::plan::simulation {

namespace {

bool is_combination(const Step& step) {
  return step.kind == StepKind::combine || step.kind == StepKind::receive_combine;
}

[[noreturn]] void throw_no_rank(int rank, int peer, int ranks) {
  throw std::runtime_error("simulated rank " + std::to_string(rank) + " talks to rank " +
                           std::to_string(peer) + " of " + std::to_string(ranks));
}

Count elements_of(const Layout& layout, const Step& step) {
  return length(layout, step.sends() ? step.source() : step.target());
}

}  // namespace

void check_room(int ranks, const Machine& machine, const Placement& placement) {
  check_levels(machine);
  if (!placement.in_order() && placement.cores().size() != static_cast<std::size_t>(ranks))
    throw std::invalid_argument("a placement of " + std::to_string(placement.cores().size()) +
                                " ranks is given for " + std::to_string(ranks));
  if (machine.levels[0].units == 0) return;
  const Count room = static_cast<Count>(machine.levels[0].units) * machine.ranks_in_unit(0);
  const int last = placement.in_order() ? ranks - 1 : std::ranges::max(placement.cores());
  if (last >= room)
    throw std::invalid_argument("machine '" + machine.name + "' has " + std::to_string(room) +
                                " cores, but core " + std::to_string(last) + " is asked for");
}

CompactSchedules::CompactSchedules(int ranks, const Machine& machine, const Placement& placement,
                                   bool traffic)
    : ranks_(ranks),
      machine_(&machine),
      placement_(&placement),
      table_(machine),
      traffic_(traffic) {
  check_room(ranks, machine, placement);
  first_.reserve(static_cast<std::size_t>(ranks) + 1);
  units_.resize(machine.levels.size());
  if (traffic) sent_.resize(static_cast<std::size_t>(ranks) * machine.levels.size());
}

void CompactSchedules::find_units(int rank) {
  const int core = placement_->core(rank);
  for (std::size_t level = 0; level < units_.size(); ++level) {
    const int in_unit = machine_->ranks_in_unit(level);
    units_[level] = {core - core % in_unit, in_unit};
  }
}

std::int32_t CompactSchedules::level_to(int rank, int peer) const {
  std::int32_t level = 0;
  if (peer == rank) return static_cast<std::int32_t>(units_.size());
  const int core = placement_->core(peer);
  for (const Extent unit : units_) {
    if (core < unit.first || core - unit.first >= unit.count) return level;
    ++level;
  }
  throw std::invalid_argument("ranks " + std::to_string(rank) + " and " + std::to_string(peer) +
                              " are on one core of machine '" + machine_->name + "'");
}

void CompactSchedules::look_ahead(const Schedule& schedule, const Layout& layout) {
  const auto steps = schedule.steps();
  ahead_.assign(steps.size(), {});
  std::int32_t burst = 0;
  std::int32_t combined_round = -1;  // of the next combination, unless a send comes before it
  std::int32_t received_round = -1;  // of the next receive
  for (std::size_t i = steps.size(); i-- > 0;) {
    const Step& step = steps[i];
    if (!schedule.signals() && elements_of(layout, step) == 0) continue;
    burst = step.sends() ? burst + 1 : 0;
    ahead_[i].burst = burst;
    if (step.sends()) combined_round = -1;
    if (step.receives()) {
      ahead_[i].ends_receiving = received_round != step.round;
      received_round = step.round;
    }
    if (!is_combination(step)) continue;
    ahead_[i].ends_combining = combined_round != step.round;
    combined_round = step.round;
  }
}

void CompactSchedules::add(const Schedule& schedule, const Layout& layout, std::size_t element_size,
                           std::vector<std::int32_t>* kept) {
  const int rank = static_cast<int>(first_.size()) - 1;
  find_units(rank);
  look_ahead(schedule, layout);
  std::int32_t burst = 0;  // of the sends that are being added
  for (std::size_t i = 0; i < schedule.steps().size(); ++i) {
    const Step& step = schedule.steps()[i];
    const Count elements = elements_of(layout, step);
    if (elements == 0 && !(schedule.signals() && step.peer >= 0)) continue;
    CostKey key;
    key.kind = step.kind;
    key.bytes = schedule.signals() ? 0 : elements * static_cast<Count>(element_size);
    if (step.peer >= ranks_) throw_no_rank(rank, step.peer, ranks_);
    if (step.peer >= 0) key.level = level_to(rank, step.peer);
    if (is_combination(step)) key.marked = ahead_[i].ends_combining;
    if (machine_->stage_overhead > 0) key.ends_stage = ahead_[i].ends_receiving;
    if (!step.sends()) {
      burst = 0;
    } else {
      const bool first = burst == 0;
      if (first) burst = ahead_[i].burst;
      if (table_.burst_counts(key.level)) {
        key.burst = burst;
        key.marked = first;
      }
      if (traffic_ && static_cast<std::size_t>(key.level) < units_.size()) {
        Traffic& sent = sent_[static_cast<std::size_t>(rank) * units_.size() +
                              static_cast<std::size_t>(key.level)];
        ++sent.messages;
        sent.bytes += key.bytes;
      }
    }
    if (kept != nullptr) kept->push_back(static_cast<std::int32_t>(i));
    steps_.push_back(
        {table_.find(key) << 3 | static_cast<std::uint32_t>(step.kind), step.peer, step.number});
  }
  first_.push_back(steps_.size());
}

}  // namespace cartwright::plan::simulation
