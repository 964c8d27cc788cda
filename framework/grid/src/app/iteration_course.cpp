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

IterationCourse::IterationCourse(Run& run)
    : run_(run),
      convergence_(run.options().iteration),
      remembered_(run.state(), "convergence", ScalarType::float64,
                  std::as_writable_bytes(convergence_.state())) {}

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

void IterationCourse::add(long long number, double residual) {
  if (!std::isfinite(residual))
    throw rt::numerical_failure(
        fmt::format("the residual of iteration {} is {:g}", number, residual),
        "Check the initial data and the parameters.", rt::Reach::all_ranks);
  fresh_ = residual;
  convergence_.add(number, residual);
}

std::optional<double> IterationCourse::take_residual() {
  return std::exchange(fresh_, std::nullopt);
}

double IterationCourse::complete(long long step) {
  done_ = step;
  return 0.0;
}

std::string IterationCourse::ended_because() const {
  if (!is_converged()) return {};
  std::string reason = fmt::format("the residual is {:.3g} of the first one", relative());
  if (relative() > options().tolerance)
    reason +=
        fmt::format("; rounding allows no less (iteration.tolerance is {:g})", options().tolerance);
  return reason;
}

void IterationCourse::arrive() const {
  if (is_converged()) return;
  throw rt::numerical_failure(
      convergence_.verdict(done_, "iteration.tolerance"),
      convergence_.hopeless(done_).empty()
          ? "Raise iteration.limit and go on with --restart, or ask for a larger tolerance."
          : "Look at convergence.csv; check the parameters, the time step or the preconditioner, "
            "or "
            "ask for a larger tolerance.",
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
  if (!convergence_.has_begun()) return;
  section.add("first residual", convergence_.first());
  section.add("last residual", convergence_.newest());
  section.add("relative residual", relative());
  if (done_ > 0 && relative() > 0.0)
    section.add("reduction an iteration", std::pow(relative(), 1.0 / static_cast<double>(done_)));
}

void IterationCourse::describe(Sample& sample) const {
  sample.last_step = is_converged() ? done_ : options().limit;
  sample.course = {"iterations",
                   fmt::format("{}at most {}, until the residual is {:g} of the first one",
                               is_converged() ? fmt::format("{} on a small grid; ", done_) : "",
                               options().limit, options().tolerance)};
}

}  // namespace cartwright::grid
