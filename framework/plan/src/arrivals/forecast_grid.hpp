// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/algorithms/clairvoyant.hpp>
#include <cartwright/plan/arrivals/arrival_planner.hpp>
#include <cartwright/plan/arrivals/message_runs.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace cartwright::plan::arrivals {

/// A forecast, rounded: to half a round where ranks are late by less than some hundred of them, to
/// a part of their lateness where they are later. Who comes so long after the ranks before that
/// these have nothing left to do is as late as makes them just ready. Plans are made for it alone,
/// so that equal ones have equal plans. [rank] lateness in steps, then [rank] how far off it may
/// be.
using Signature = std::vector<std::uint32_t>;

/// What a forecast is rounded to.
class ForecastGrid {
 public:
  /// For rounds of that length, and ranks that have nothing left to do `ready` after they came.
  ForecastGrid(Nanoseconds round, Nanoseconds ready);

  /// Lateness counts from the first. What can't be is taken for as near as can be.
  void round_off(const ArrivalForecast& forecast, Signature& into) const;

  [[nodiscard]] std::vector<Nanoseconds> lateness(const Signature& signature) const;
  /// At least what was forecast, at most twice that, and half a step where little is.
  [[nodiscard]] std::vector<Nanoseconds> deviation(const Signature& signature) const;

 private:
  /// Shortens gaps between arrivals in which nothing happens. `lateness`: in steps; `off`: the
  /// most that one of them is.
  void close_gaps(std::span<std::uint32_t> lateness, std::uint32_t off) const;

  int shift_ = 0;            ///< a step is 2^shift ns
  std::uint32_t ready_ = 0;  ///< in steps
};

/// Arrivals of simulated runs: always off by the same multiples of the deviation, about normal.
class SampledArrivals {
 public:
  explicit SampledArrivals(int ranks);

  [[nodiscard]] std::vector<Samples> around(std::span<const Nanoseconds> lateness,
                                            std::span<const Nanoseconds> deviation) const;

 private:
  std::vector<std::int32_t> deviates_;  ///< [rank][run], in 2^-14
};

}  // namespace cartwright::plan::arrivals
