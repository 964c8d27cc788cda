// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/models/machine.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace cartwright::plan {

/// On which core of a machine each rank runs. Cores are numbered through the units in order.
class Placement {
 public:
  /// Ranks fill cores, and so units, in order.
  Placement() = default;
  /// cores[rank]. Throws std::invalid_argument when two ranks share a core or one is negative.
  explicit Placement(std::vector<int> cores);
  /// Ranks go round the units of the outermost level: rank r to unit r mod units.
  static Placement round_robin(const Machine& machine, int ranks);

  [[nodiscard]] bool in_order() const { return cores_.empty(); }
  [[nodiscard]] int core(int rank) const {
    return cores_.empty() ? rank : cores_[static_cast<std::size_t>(rank)];
  }
  /// By rank; empty: in order.
  [[nodiscard]] std::span<const int> cores() const { return cores_; }

 private:
  std::vector<int> cores_;
};

/// The level at which two placed ranks part; see machine.hpp.
inline std::size_t parting_level(const Machine& machine, const Placement& placement, int a, int b) {
  return parting_level(machine, placement.core(a), placement.core(b));
}

/// The unit of a level in which a core lies, counted through the whole machine.
inline int unit_of(const Machine& machine, std::size_t level, int core) {
  return core / machine.ranks_in_unit(level);
}

}  // namespace cartwright::plan
