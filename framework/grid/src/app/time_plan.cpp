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

constexpr double rounding_of_limit = 1e-12;

void check_limit(const rt::Deck& deck, const TimeOptions& options, double time_step,
                 const std::optional<StabilityLimit>& limit) {
  if (!limit || options.stability == "warn") return;
  if (time_step <= limit->time_step * (1.0 + rounding_of_limit)) return;
  throw deck.error("time.step",
                   fmt::format("'time.step' is {:.9g}, but the largest stable one for {} is {:.9g}",
                               time_step, limit->scheme, limit->time_step),
                   "Lower time.step, or leave it out: then it is chosen");
}

/// The number of the last step, where no end is given.
long long last_of(const rt::Deck& deck, const TimeOptions& options) {
  if (!options.steps && !options.end)
    throw deck.error("time", "'time' says neither how many 'steps' to make nor when to 'end'",
                     "Write for example  time: {steps: 100}");
  return options.steps.value_or(std::numeric_limits<long long>::max());
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
  long long last = last_of(deck, options);
  double time_step = wanted_step(deck, options, limit);
  check_limit(deck, options, time_step, limit);
  if (options.end) {
    const long long until_end = steps_until(deck, *options.end, time_step);
    time_step = *options.end / static_cast<double>(until_end);
    last = std::min(last, until_end);
  }
  return {time_step, last, options.end};
}

TimePlan resume_time(const rt::Deck& deck, const TimeOptions& options,
                     const std::optional<StabilityLimit>& limit, const CheckpointState& checkpoint,
                     bool may_change) {
  const double planned = plan_time(deck, options, limit).time_step;
  TimePlan plan{checkpoint.time_step, last_of(deck, options), options.end, checkpoint.since_step,
                checkpoint.since_time};
  constexpr double tolerance = 0.01;  // a changed end alone changes the step a little
  if (std::abs(planned - plan.time_step) > tolerance * plan.time_step) {
    if (may_change) {
      plan.time_step = planned;
      plan.since_step = checkpoint.step;
      plan.since_time = checkpoint.time;
    } else if (options.step) {
      throw deck.error(
          "time.step",
          fmt::format("'time.step' is {:.9g}, but the checkpoint was written with {:.9g}",
                      *options.step, plan.time_step),
          "A restart keeps the time step, unless the deck says checkpoint.changes: accept");
    }
  }
  check_limit(deck, options, plan.time_step, limit);
  if (options.end && *options.end > plan.since_time)
    plan.last_step = std::min(
        plan.last_step,
        plan.since_step + steps_until(deck, *options.end - plan.since_time, plan.time_step));
  else if (options.end)
    plan.last_step = std::min(plan.last_step, plan.since_step);
  return plan;
}

bool is_beyond(const TimePlan& plan, const std::optional<StabilityLimit>& limit) {
  return limit && plan.time_step > limit->time_step * (1.0 + rounding_of_limit);
}

AdaptiveStep adaptive_step(double time, double largest, double target) {
  const double left = target - time;
  if (left <= largest) return {left, target};
  const double step = left < 2.0 * largest ? 0.5 * left : largest;
  return {step, time + step};
}

double next_target(double time, std::optional<double> end, const std::vector<double>& intervals) {
  double target = std::numeric_limits<double>::infinity();
  if (end && *end > time) target = *end;
  for (const double interval : intervals) {
    const double next = interval * (std::floor(time / interval + rounding) + 1.0);
    if (next > time) target = std::min(target, next);
  }
  return target;
}

bool reaches_multiple(double before, double now, double interval) {
  return std::floor(now / interval + rounding) > std::floor(before / interval + rounding);
}

}  // namespace cartwright::grid
