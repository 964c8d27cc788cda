// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/run/run_options.hpp>
#include <cmath>
#include <optional>
#include <string>

namespace cartwright::grid {

/// The largest time step at which a scheme is stable, and the scheme's name.
struct StabilityLimit {
  double time_step;
  std::string scheme;
};

/// The steps that a run makes: step n ends at the time n * time_step, the last one at `end` itself
/// where rounding is all that lies between.
struct TimePlan {
  double time_step = 0.0;
  long long last_step = 0;
  std::optional<double> end = std::nullopt;

  [[nodiscard]] double time_of(long long step) const {
    const double time = static_cast<double>(step) * time_step;
    const bool is_end = end && step == last_step && std::abs(time - *end) < 1e-9 * time_step;
    return is_end ? *end : time;
  }
};

/// From the deck's section `time`. Throws Deck::error if the step is larger than the limit (and
/// names the largest one allowed), or if nothing determines it.
[[nodiscard]] TimePlan plan_time(const rt::Deck& deck, const TimeOptions& options,
                                 const std::optional<StabilityLimit>& limit);

/// The same for a run that goes on with the time step of its checkpoint, because a changed one
/// would change all steps' times.
[[nodiscard]] TimePlan resume_time(const rt::Deck& deck, const TimeOptions& options,
                                   const std::optional<StabilityLimit>& limit, double time_step);

}  // namespace cartwright::grid
