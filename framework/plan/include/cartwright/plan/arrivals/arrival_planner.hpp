// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/selection/catalogue.hpp>

#include <cstdint>
#include <memory>
#include <vector>

namespace cartwright::plan {

/// When each rank of a communicator is expected at a call: nanoseconds after the first, and how far
/// off forecasts were lately (standard deviation, ns).
struct ArrivalForecast {
  std::vector<std::int64_t> lateness;
  std::vector<std::int64_t> deviation;  ///< empty: nothing is known of it, and it counts as none
};

/// What a portfolio of plans found for a forecast. The times are medians over simulated runs in
/// which arrivals are off as much as forecasts were lately.
struct ArrivalChoice {
  Choice choice;
  double seconds_after_last = 0.0;           ///< from the last arrival to the end
  double balanced_seconds_after_last = 0.0;  ///< the same of the best choice for ranks that come
                                             ///< together
};

/// Chooses for reductions to one rank or all whose ranks arrive at different times: plans for the
/// forecast and what is best for ranks that come together, the quickest in simulated runs. Whole
/// numbers and fixed seeds: the same on all ranks that are given the same. Keeps what it found for
/// a few forecasts, as rounded: one that hasn't changed costs less than a microsecond.
class ArrivalPlanner {
 public:
  /// One for each kind of call. Throws std::invalid_argument for other operations than reduce and
  /// allreduce, for a problem that is none, and for a machine without levels.
  ArrivalPlanner(const Problem& problem, const Machine& machine);
  ~ArrivalPlanner();
  ArrivalPlanner(ArrivalPlanner&&) noexcept;
  ArrivalPlanner& operator=(ArrivalPlanner&&) noexcept;

  /// Valid until the next call. Lateness that can't be is taken for as near as can be. Throws
  /// std::invalid_argument for another number of ranks.
  const ArrivalChoice& choose(const ArrivalForecast& forecast);

  /// The lateness that `choose` plans for: counted from the first, rounded to about half a round;
  /// and where ranks come so long after the others that these have nothing left to do, they come as
  /// soon as that is so. How much later they are changes no plan. Throws as `choose` does.
  [[nodiscard]] std::vector<std::int64_t> rounded(const ArrivalForecast& forecast) const;

 private:
  class Memory;
  std::unique_ptr<Memory> memory_;
};

}  // namespace cartwright::plan
