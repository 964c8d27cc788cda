// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/simulation/simulate.hpp>

#include <cstdint>
#include <vector>

#include "costs.hpp"

namespace cartwright::plan::simulation {

/// A step with its cost in place of its slices.
struct CompactStep {
  std::uint32_t what = 0;  ///< cost * 8 + kind
  std::int32_t peer = -1;
  std::int32_t number = 0;

  [[nodiscard]] StepKind kind() const { return static_cast<StepKind>(what & 7u); }
  [[nodiscard]] std::uint32_t cost() const { return what >> 3; }
};

/// The schedules of all ranks, ready to be simulated.
class CompactSchedules {
 public:
  CompactSchedules(int ranks, const Machine& machine, const Placement& placement, bool traffic);

  /// Adds the next rank. `kept`, where asked for, gets the number in the schedule of each step that
  /// is simulated.
  void add(const Schedule& schedule, const Layout& layout, std::size_t element_size,
           std::vector<std::int32_t>* kept = nullptr);

  [[nodiscard]] int ranks() const { return ranks_; }
  [[nodiscard]] std::size_t begin(int rank) const { return first_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] std::size_t end(int rank) const {
    return first_[static_cast<std::size_t>(rank) + 1];
  }
  [[nodiscard]] const std::vector<CompactStep>& steps() const { return steps_; }
  [[nodiscard]] const CostTable& table() const { return table_; }
  [[nodiscard]] const StepCost& cost(const CompactStep& step) const {
    return table_.costs()[step.cost()];
  }
  [[nodiscard]] const Machine& machine() const { return *machine_; }
  [[nodiscard]] const Placement& placement() const { return *placement_; }
  [[nodiscard]] const std::vector<Traffic>& sent() const { return sent_; }
  std::vector<Traffic> take_sent() { return std::move(sent_); }

 private:
  // What has to be known of later steps.
  struct Ahead {
    std::int32_t burst = 0;  // sends that follow at once, this one included
    bool ends_combining = false;
    bool ends_receiving = false;
  };
  void look_ahead(const Schedule& schedule, const Layout& layout);
  void find_units(int rank);
  [[nodiscard]] std::int32_t level_to(int rank, int peer) const;

  int ranks_;
  const Machine* machine_;
  const Placement* placement_;
  CostTable table_;
  std::vector<CompactStep> steps_;
  std::vector<std::size_t> first_{0};
  std::vector<Traffic> sent_;  // [rank * levels + level]
  bool traffic_;
  // of the rank that is being added
  std::vector<Ahead> ahead_;
  std::vector<Extent> units_;  // by level: the cores of its unit
};

}  // namespace cartwright::plan::simulation
