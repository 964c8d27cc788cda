// SPDX-License-Identifier: Apache-2.0
#include "iteration_course.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cartwright/grid/run/run.hpp>
#include <cartwright/grid/run/sample.hpp>
#include <cartwright/rt/deck.hpp>
#include <cmath>

namespace cartwright::grid {
namespace {

/// A residual counts as lower if it is so much lower than the best one before.
constexpr double progress_at_all = 0.99;

void refuse_time(const Run& run) {
  const rt::Deck& deck = run.runtime().deck();
  const TimeOptions& time = run.options().time;
  for (const auto& [path, given] :
       {std::pair{"time.steps", time.steps.has_value()},
        {"time.step", time.step.has_value()},
        {"time.end", time.end.has_value()},
        {"output.interval", run.options().output.interval.has_value()},
        {"output.pictures.interval", run.options().output.pictures.interval.has_value()}})
    if (given)
      throw deck.error(path,
                       fmt::format("'{}' is given, but the solver '{}' iterates: there is no time",
                                   path, run.solver().name),
                       "Write for example  iteration: {tolerance: 1.0e-8, limit: 1000}");
}

}  // namespace

IterationCourse::IterationCourse(Run& run) : run_(run), state_(run, "convergence", numbers) {}

const IterationOptions& IterationCourse::options() const {
  return run_.options().iteration;
}

void IterationCourse::plan() {
  refuse_time(run_);
}

double IterationCourse::start(long long step) {
  done_ = step;
  return 0.0;
}

void IterationCourse::begin_from(double residual) {
  state_[known] = 1.0;
  state_[first] = state_[newest] = state_[best] = residual;
}

void IterationCourse::add(long long number, double residual) {
  if (!std::isfinite(residual))
    throw rt::numerical_failure(
        fmt::format("the residual of iteration {} is {:g}", number, residual),
        "Check the initial data and the parameters.", rt::Reach::all_ranks);
  fresh_ = residual;
  state_[newest] = residual;
  if (!has_first()) begin_from(residual);
  const bool is_lower = residual < progress_at_all * state_[best];
  if (!is_lower && state_[best_at] > 0.0) return;
  state_[best] = std::min(residual, state_[best]);
  state_[best_at] = static_cast<double>(number);
}

bool IterationCourse::is_converged() const {
  return has_first() && state_[newest] <= options().tolerance * state_[first];
}

double IterationCourse::relative() const {
  return has_first() && state_[first] > 0.0 ? state_[newest] / state_[first] : 1.0;
}

std::optional<double> IterationCourse::take_residual() {
  return std::exchange(fresh_, std::nullopt);
}

double IterationCourse::complete(long long step) {
  done_ = step;
  return 0.0;
}

std::string IterationCourse::hopeless() const {
  if (!has_first()) return {};
  if (relative() > options().divergence)
    return fmt::format("the residual has grown to {:.3g} times the first one", relative());
  const auto waited = static_cast<double>(done_) - state_[best_at];
  if (options().stagnation > 0 && waited >= static_cast<double>(options().stagnation))
    return fmt::format("the residual has not fallen by 1 % in {} iterations", options().stagnation);
  return {};
}

bool IterationCourse::is_last(long long step) const {
  return is_converged() || step >= options().limit || !hopeless().empty();
}

std::string IterationCourse::ended_because() const {
  if (is_converged()) return fmt::format("the residual is {:.3g} of the first one", relative());
  return {};
}

void IterationCourse::arrive() const {
  if (is_converged()) return;
  const std::string reason = hopeless();
  const std::string where =
      fmt::format("{} of the first one after {} iterations; iteration.tolerance is {:g}",
                  has_first() ? fmt::format("{:.3g}", relative()) : "unknown, as a part", done_,
                  options().tolerance);
  if (!reason.empty())
    throw rt::numerical_failure(fmt::format("not converged: {}; it is {}", reason, where),
                                "Look at convergence.csv; check the parameters, the time step or "
                                "the preconditioner, or ask for a larger tolerance.",
                                rt::Reach::all_ranks);
  throw rt::numerical_failure(
      fmt::format("not converged: the residual is {}", where),
      "Raise iteration.limit and go on with --restart, or ask for a larger tolerance.",
      rt::Reach::all_ranks);
}

std::string IterationCourse::name_of(long long step) const {
  return fmt::format("iteration {}", step);
}

double IterationCourse::time_label(long long step, double /*time*/) const {
  return static_cast<double>(step);
}

void IterationCourse::announce(rt::Log& log, long long step) const {
  log.entry("iterations", fmt::format("from {} to at most {}, until the residual is {:g} of the "
                                      "first one",
                                      step, options().limit, options().tolerance));
}

rt::ProgressPlan IterationCourse::progress(long long step, double /*time*/) const {
  rt::ProgressPlan plan;
  plan.first_step = step;
  plan.step_name = "iteration";
  plan.standing = [this] {
    // Residuals usually fall by the same factor again and again.
    const double fraction = std::log(relative()) / std::log(options().tolerance);
    return rt::Standing{std::isfinite(fraction) ? std::clamp(fraction, 0.0, 1.0) : 0.0,
                        fmt::format("residual {:.2e} of {:.0e}", relative(), options().tolerance)};
  };
  return plan;
}

void IterationCourse::report(rt::Report& report) const {
  auto& section = report.section("convergence");
  section.add("converged", is_converged());
  section.add("iterations", done_);
  if (!has_first()) return;
  section.add("first residual", state_[first]);
  section.add("last residual", state_[newest]);
  section.add("relative residual", relative());
  if (done_ > 0 && relative() > 0.0)
    section.add("reduction an iteration", std::pow(relative(), 1.0 / static_cast<double>(done_)));
}

void IterationCourse::describe(Sample& sample) const {
  sample.last_step = options().limit;
  sample.course = {"iterations",
                   fmt::format("at most {}, until the residual is {:g} of the first one",
                               options().limit, options().tolerance)};
}

}  // namespace cartwright::grid
