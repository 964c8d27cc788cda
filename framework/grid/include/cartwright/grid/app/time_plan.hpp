// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/output/checkpoint.hpp>
#include <cartwright/grid/run/run_options.hpp>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace cartwright::grid {

/// The largest time step at which a scheme is stable, and the scheme's name.
struct StabilityLimit {
  double time_step;
  std::string scheme;
};

/// The steps that a run makes: step n ends at the time n * time_step, the last one at `end` itself
/// where rounding is all that lies between. A run whose step was changed by a restart counts from
/// there.
struct TimePlan {
  double time_step = 0.0;
  long long last_step = 0;
  std::optional<double> end = std::nullopt;
  long long since_step = 0;
  double since_time = 0.0;

  [[nodiscard]] double time_of(long long step) const {
    const double time = since_time + static_cast<double>(step - since_step) * time_step;
    const bool is_end = end && step == last_step && std::abs(time - *end) < 1e-9 * time_step;
    return is_end ? *end : time;
  }
};

/// From the deck's section `time`. Throws Deck::error if the step is larger than the limit (and
/// names the largest one allowed; unless the deck says `stability: warn`), or if nothing determines
/// it.
[[nodiscard]] TimePlan plan_time(const rt::Deck& deck, const TimeOptions& options,
                                 const std::optional<StabilityLimit>& limit);

/// The same for a run that goes on from `checkpoint`, with its time step, because a changed one
/// would change all steps' times; unless `may_change`.
[[nodiscard]] TimePlan resume_time(const rt::Deck& deck, const TimeOptions& options,
                                   const std::optional<StabilityLimit>& limit,
                                   const CheckpointState& checkpoint, bool may_change = false);

/// True if the deck wants a larger step than the stable one, and may have it.
[[nodiscard]] bool is_beyond(const TimePlan& plan, const std::optional<StabilityLimit>& limit);

/// One step of a run whose steps are found one by one.
struct AdaptiveStep {
  double time_step;
  double end;  ///< the simulated time then
};

/// A step from `time` that isn't larger than `largest` and meets `target` (infinity: none) exactly:
/// what lies less than two steps ahead is reached in one step, or in two equal ones.
[[nodiscard]] AdaptiveStep adaptive_step(double time, double largest, double target);

/// The next time after `time` that is `end` or a multiple of an interval; infinity if there is
/// none.
[[nodiscard]] double next_target(double time, std::optional<double> end,
                                 const std::vector<double>& intervals);

/// True if a multiple of `interval` was reached on the way from `before` to `now`.
[[nodiscard]] bool reaches_multiple(double before, double now, double interval);

}  // namespace cartwright::grid
