// SPDX-License-Identifier: Apache-2.0
#include <cartwright/grid/app/time_plan.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cartwright/rt/deck.hpp>
#include <cmath>
#include <limits>

namespace cartwright::grid {
namespace {

constexpr double rounding = 1e-9;  // of a quotient that should be a whole number

void check_limit(const rt::Deck& deck, double time_step,
                 const std::optional<StabilityLimit>& limit) {
  if (!limit || time_step <= limit->time_step * (1.0 + 1e-12)) return;
  throw deck.error("time.step",
                   fmt::format("'time.step' is {:.9g}, but the largest stable one for {} is {:.9g}",
                               time_step, limit->scheme, limit->time_step),
                   "Lower time.step, or leave it out: then it is chosen");
}

double wanted_step(const rt::Deck& deck, const TimeOptions& options,
                   const std::optional<StabilityLimit>& limit) {
  if (options.step) return *options.step;
  if (limit) return options.safety * limit->time_step;
  if (options.steps && options.end && *options.steps > 0)
    return *options.end / static_cast<double>(*options.steps);
  throw deck.error("time.step",
                   "'time.step' is missing: this solver does not know its largest stable one",
                   "Write for example  time: {step: 1.0e-3}");
}

long long steps_until(const rt::Deck& deck, double end, double time_step) {
  const double count = std::ceil(end / time_step - rounding);
  constexpr double most = 1e15;
  if (!(count < most))
    throw deck.error(
        "time.end",
        fmt::format("'time.end' is {:g}, more than 10^15 steps of {:g} away", end, time_step));
  return std::max(1LL, static_cast<long long>(count));
}

}  // namespace

TimePlan plan_time(const rt::Deck& deck, const TimeOptions& options,
                   const std::optional<StabilityLimit>& limit) {
  double time_step = wanted_step(deck, options, limit);
  check_limit(deck, time_step, limit);
  long long last = options.steps.value_or(std::numeric_limits<long long>::max());
  if (options.end) {
    const long long until_end = steps_until(deck, *options.end, time_step);
    time_step = *options.end / static_cast<double>(until_end);
    last = std::min(last, until_end);
  }
  return {time_step, last, options.end};
}

TimePlan resume_time(const rt::Deck& deck, const TimeOptions& options,
                     const std::optional<StabilityLimit>& limit, double time_step) {
  const double planned = plan_time(deck, options, limit).time_step;
  constexpr double tolerance = 0.01;  // a changed end alone changes the step a little
  if (options.step && std::abs(planned - time_step) > tolerance * time_step)
    throw deck.error(
        "time.step",
        fmt::format("'time.step' is {:.9g}, but the checkpoint was written with {:.9g}",
                    *options.step, time_step),
        "A restart keeps the time step; start a new run from the fields of an output to change it");
  check_limit(deck, time_step, limit);
  long long last = options.steps.value_or(std::numeric_limits<long long>::max());
  if (options.end) last = std::min(last, steps_until(deck, *options.end, time_step));
  return {time_step, last, options.end};
}

}  // namespace cartwright::grid
