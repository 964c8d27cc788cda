// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/selection/multiplying_cost.hpp>

#include <cstdint>
#include <vector>

namespace cartwright::plan {

/// The quickest factor stages for every number of ranks up to a largest: of equally quick ones
/// those of the fewest messages, and of these the ones with the greatest first factor. The order of
/// the factors doesn't count; they are in descending order.
class FactorTable {
 public:
  FactorTable(int most, const MultiplyingParameters& parameters);

  /// Time of the stages for so many ranks; none for one rank.
  [[nodiscard]] Picoseconds time(int ranks) const { return entries_[index(ranks)].time; }
  /// Messages that one rank sends.
  [[nodiscard]] int sends(int ranks) const { return entries_[index(ranks)].sends; }
  [[nodiscard]] std::vector<int> factors(int ranks) const;

 private:
  struct Entry {
    Picoseconds time = 0;
    std::int32_t sends = 0;
    std::int32_t largest = 0;  ///< factor; the rest is the entry of ranks / largest
  };
  static std::size_t index(int ranks) { return static_cast<std::size_t>(ranks); }

  std::vector<Entry> entries_;
};

}  // namespace cartwright::plan
