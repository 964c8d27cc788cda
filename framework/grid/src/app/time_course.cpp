// SPDX-License-Identifier: Apache-2.0
#include "time_course.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cartwright/grid/run/run.hpp>
#include <cartwright/grid/run/sample.hpp>
#include <cartwright/rt/deck.hpp>
#include <cmath>

namespace cartwright::grid {

TimeCourse::TimeCourse(Run& run) : run_(run), intervals_(run.options().intervals()) {}

const TimeOptions& TimeCourse::options() const {
  return run_.options().time;
}

bool TimeCourse::is_overruled() const {
  return options().step && options().stability == "warn";
}

void TimeCourse::refuse_after_begin(const char* what) const {
  if (begun_)
    throw rt::internal_failure(fmt::format("{} was called inside of the loop", what),
                               "Call it before.", rt::Reach::all_ranks);
}

void TimeCourse::limit(double largest, const std::string& scheme) {
  refuse_after_begin("steps.stable_below()");
  if (!(largest > 0.0))
    throw rt::input_error(
        fmt::format("the largest stable time step for {} is {:g}", scheme, largest),
        "Check the solver's parameters.", rt::Reach::all_ranks);
  if (!limit_ || largest < limit_->time_step) limit_ = StabilityLimit{largest, scheme};
  planned_ = false;
}

void TimeCourse::adapt() {
  refuse_after_begin("steps.adaptive()");
  if (fused_)
    throw rt::internal_failure("steps.adaptive() was called, but several are made at once",
                               "Leave out steps.fused().", rt::Reach::all_ranks);
  adaptive_ = true;
}

void TimeCourse::fuse() {
  refuse_after_begin("steps.fused()");
  if (adaptive_)
    throw rt::internal_failure("steps.fused() was called, but the steps are adaptive",
                               "Of several steps at once nobody sees what lies between them.",
                               rt::Reach::all_ranks);
  fused_ = true;
}

double TimeCourse::time_at(long long step) const {
  return plan_.time_of(step);
}

double TimeCourse::fixed_step() {
  if (adaptive_)
    throw rt::internal_failure("steps.dt() was called, but the steps are adaptive",
                               "Ask for the size of each step in the loop: step.limit(…).",
                               rt::Reach::all_ranks);
  plan();
  return plan_.time_step;
}

void TimeCourse::plan() {
  if (planned_) return;
  const rt::Deck& deck = run_.runtime().deck();
  if (adaptive_) {
    if (!options().steps && !options().end) (void)plan_time(deck, options(), limit_);  // throws
  } else if (checkpoint_) {
    plan_ = resume_time(deck, options(), limit_, *checkpoint_, run_.options().accepts_changes());
  } else {
    plan_ = plan_time(deck, options(), limit_);
  }
  planned_ = true;
}

double TimeCourse::start(long long step) {
  begun_ = true;
  time_ = checkpoint_ ? checkpoint_->time : 0.0;
  last_ = checkpoint_ ? checkpoint_->time_step : 0.0;
  return adaptive_ ? time_ : plan_.time_of(step);
}

Step TimeCourse::item(long long number, double time) {
  const double dt = adaptive_ ? std::numeric_limits<double>::quiet_NaN() : plan_.time_step;
  return {number, time, dt, this, turn_};
}

double TimeCourse::limit_step(double largest) {
  if (!adaptive_)
    throw rt::internal_failure("step.limit() was called, but the steps all have the same size",
                               "Say run.steps(…).adaptive() before the loop.",
                               rt::Reach::all_ranks);
  if (current_)
    throw rt::internal_failure("step.limit() was called twice in one step",
                               "Call it once, with the smallest of all limits.",
                               rt::Reach::all_ranks);
  if (limit_) largest = std::min(largest, options().safety * limit_->time_step);
  if (options().step && largest == largest)
    largest = is_overruled() ? *options().step : std::min(largest, *options().step);
  current_ = adaptive_step(time_, largest, next_target(time_, options().end, intervals_));
  if (!(largest > 0.0) || !(current_->end > time_))
    throw rt::numerical_failure(
        fmt::format("step {} at time {:.6g} s may only be {:g} s long", run_.step() + 1, time_,
                    largest),
        "Look at the fields before it: something has become too fast, or is no number.",
        rt::Reach::all_ranks);
  return current_->time_step;
}

double TimeCourse::complete(long long step) {
  if (!adaptive_) return plan_.time_of(step);
  if (!current_)
    throw rt::internal_failure(fmt::format("nothing said how long step {} is", step),
                               "With adaptive steps each one calls step.limit(…).",
                               rt::Reach::all_ranks);
  last_ = current_->time_step;
  time_ = current_->end;
  current_.reset();
  smallest_ = std::min(smallest_, last_);
  largest_ = std::max(largest_, last_);
  travelled_ += last_;
  ++steps_made_;
  return time_;
}

bool TimeCourse::is_last(long long step) const {
  if (!adaptive_) return step >= plan_.last_step;
  return (options().steps && step >= *options().steps) ||
         (options().end && time_ >= *options().end);
}

std::string TimeCourse::name_of(long long step) const {
  if (!adaptive_) return fmt::format("step {} of {}", step, plan_.last_step);
  if (options().end)
    return fmt::format("step {} ({:.4g} s of {:g} s)", step, time_, *options().end);
  return fmt::format("step {} of {}", step, options().steps.value_or(0));
}

double TimeCourse::time_step() const {
  if (!adaptive_) return plan_.time_step;
  return current_ ? current_->time_step : last_;
}

void TimeCourse::remember(CheckpointState& state) const {
  state.since_step = plan_.since_step;
  state.since_time = plan_.since_time;
}

void TimeCourse::announce(rt::Log& log, long long step) const {
  const std::string known =
      limit_ ? fmt::format(" (stable up to {:.6g} s for {})", limit_->time_step, limit_->scheme)
             : "";
  if (!adaptive_) {
    log.entry("time step", fmt::format("{:.6g} s{}", plan_.time_step, known));
    log.entry("steps", fmt::format("{} to {}, until {:.6g} s", step, plan_.last_step,
                                   plan_.time_of(plan_.last_step)));
    if (is_beyond(plan_, limit_))
      log.warning(
          fmt::format("the time step is {:.6g} s, but the largest stable one for {} is {:.6g} s: "
                      "the deck wants "
                      "it so (time.stability: warn)",
                      plan_.time_step, limit_->scheme, limit_->time_step));
    return;
  }
  std::string most = known;
  if (is_overruled())
    log.warning(
        fmt::format("all time steps are {:.6g} s, whatever the scheme bears: the deck wants "
                    "it so (time.stability: warn)",
                    *options().step));
  else if (options().step)
    most += fmt::format(", at most {:.6g} s", *options().step);
  log.entry("time step", "found in each step" + most);
  const std::string end = options().end ? fmt::format("until {:.6g} s", *options().end) : "";
  const std::string last = options().steps ? fmt::format("to {}", *options().steps) : "";
  log.entry("steps", fmt::format("from {} {}{}{}", step, last,
                                 !last.empty() && !end.empty() ? ", or " : "", end));
}

rt::ProgressPlan TimeCourse::progress(long long step, double time) const {
  rt::ProgressPlan plan;
  plan.first_step = step;
  plan.first_time = time;
  plan.time_unit = "s";
  plan.last_step = adaptive_ ? options().steps.value_or(-1) : plan_.last_step;
  plan.last_time = adaptive_ ? options().end.value_or(0.0) : plan_.time_of(plan_.last_step);
  return plan;
}

void TimeCourse::report(rt::Report& report) const {
  auto& section = report.section("run");
  section.add("time", run_.time(), "s");
  if (!adaptive_) {
    section.add("time step", plan_.time_step, "s");
  } else if (steps_made_ > 0) {
    section.add("smallest time step", smallest_, "s");
    section.add("mean time step", travelled_ / static_cast<double>(steps_made_), "s");
    section.add("largest time step", largest_, "s");
  }
}

void TimeCourse::describe(Sample& sample) const {
  double step = plan_.time_step;
  long long last = plan_.last_step;
  if (adaptive_) {
    step = steps_made_ > 0 ? travelled_ / static_cast<double>(steps_made_) : 0.0;
    last = options().steps.value_or(std::numeric_limits<long long>::max());
    if (options().end && step > 0.0)
      last =
          std::min(last, static_cast<long long>(std::min(1e15, std::ceil(*options().end / step))));
  }
  sample.time_step = step;
  sample.last_step = last;
  sample.course = {"time step",
                   fmt::format("{}{:.6g} s, {} steps, until {:.6g} s", adaptive_ ? "about " : "",
                               step, last, step * static_cast<double>(last))};
}

}  // namespace cartwright::grid
