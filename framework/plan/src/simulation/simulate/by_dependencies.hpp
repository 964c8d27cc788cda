// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph.hpp"
#include "in_order.hpp"

namespace cartwright::plan::simulation {

/// Collects, while schedules are made, what each step has to come after; then runs steps as soon as
/// they may.
class ByDependencies {
 public:
  /// Adds the next rank to `schedules`, too.
  void add(CompactSchedules& schedules, const Schedule& schedule, const Layout& layout,
           std::size_t element_size);
  Outcome run(const CompactSchedules& schedules, const SimulationOptions& options);

 private:
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges_;  // between numbers of steps
};

}  // namespace cartwright::plan::simulation
