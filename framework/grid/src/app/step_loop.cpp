// SPDX-License-Identifier: Apache-2.0
#include "step_loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/comm/collective_report.hpp>
#include <cartwright/grid/field/grid_base.hpp>
#include <cartwright/grid/field/place_in_field.hpp>
#include <cartwright/grid/kernels/caches.hpp>
#include <cartwright/grid/kernels/sweep_trial.hpp>
#include <cartwright/grid/run/field_data.hpp>
#include <cartwright/grid/run/halo_statistics.hpp>
#include <cartwright/grid/run/sample.hpp>
#include <cartwright/grid/run/work_balance.hpp>
#include <cartwright/rt/failure.hpp>
#include <cartwright/rt/mpi_check.hpp>
#include <cartwright/rt/report.hpp>
#include <cartwright/rt/stop_control.hpp>
#include <cmath>
#include <utility>

#include "iteration_course.hpp"

namespace cartwright::grid {
namespace {

/// The fields that the solver declares, those that it shows, and particles: others are its own
/// affair, and only part of checkpoints.
std::vector<const FieldBase*> declared(const Run& run, const std::vector<FieldBase*>& fields) {
  std::vector<const FieldBase*> result;
  for (const FieldBase* field : fields)
    if (run.field_data().of.contains(field->name()) || field->positions() != nullptr)
      result.push_back(field);
  for (const auto& shown : run.shown()) result.push_back(shown.field);
  return result;
}

/// Behind `before`, up to `step`, as far as that goes by steps.
bool writes_fields_within(const RunOptions& options, long long before, long long step) {
  const OutputOptions& output = options.output;
  return std::ranges::any_of(
      std::array{output.every.value_or(0), output.pictures.every,
                 output.render.is_wanted() ? output.render.every : 0, options.checkpoint.every},
      [&](long long every) { return every > 0 && step / every > before / every; });
}

/// Names that decks know.
std::vector<std::string> declared_names(const Run& run) {
  std::vector<std::string> names;
  for (const auto& [name, data] : run.field_data().of) names.push_back(name);
  return names;
}

bool has_unexpected_ghosts(const std::vector<FieldBase*>& fields) {
  return std::ranges::any_of(
      fields, [](const FieldBase* field) { return field->grid().ranks().has_unexpected_ghosts(); });
}

}  // namespace

StepLoop::StepLoop(Run& run, std::vector<FieldBase*> fields, std::unique_ptr<Course> course)
    : run_(run),
      fields_(std::move(fields)),
      course_(std::move(course)),
      iteration_(dynamic_cast<IterationCourse*>(course_.get())),
      finite_every_(run.options().time.finite_every) {
  rt::Trace& trace = run.runtime().trace();
  begin_region_ = trace.region("before the steps");
  between_region_ = trace.region("between steps");
  stop_region_ = trace.region("stop control");
  boundary_region_ = trace.region("boundary");
  finite_region_ = trace.region("check for NaN");
  report_region_ = trace.region("final report");
  run_.state().close(fields_, declared_names(run_));
  shown_ = choose_shown(run_, declared(run_, fields_));
  if (run_.is_restart()) restore();
}

void StepLoop::restore() {
  rt::Trace& trace = run_.runtime().trace();
  const rt::Timed timed(trace, trace.region("restart"));
  outputs_ = std::make_unique<RunOutputs>(run_, fields_, shown_, iteration_ != nullptr);
  outputs_->restore();
  course_->resume(*outputs_->restored());
  run_.step_ = outputs_->restored()->step;
  run_.time_ = outputs_->restored()->time;
}

void StepLoop::begin() {
  if (begun_)
    throw rt::internal_failure("the steps of a run can be made only once", "Use one loop.",
                               rt::Reach::all_ranks);
  // With all that the solver has done until now, so that what is in no region are its steps.
  rt::Trace& trace = run_.runtime().trace();
  const bool has_moved = run_.work() != nullptr && run_.work()->has_moved();
  const rt::Timed timed(trace, begin_region_,
                        has_moved ? trace.mark() : rt::Trace::Mark{run_.runtime().started(), {}});
  course_->plan();
  begun_ = true;
  warn_of_unused_initial_values();
  choose_turns();
  run_.state().begin_loop();
  run_.outcome().is_complete = false;
  if (run_.sample() != nullptr) return begin_sample();
  if (outputs_) {
    resume();
  } else {
    outputs_ = std::make_unique<RunOutputs>(run_, fields_, shown_, iteration_ != nullptr);
    outputs_->open(std::nullopt);
    start_at(0);
    impose_boundary();
  }
  check_finite();
  announce();
  if (run_.step_ == 0) outputs_->write(moment());
  loop_began_ = rt::now();
  if (WorkBalance* const work = run_.work()) {
    const auto& first = work->loop_begin({first_step_, loop_began_});
    first_step_ = first.step;
    loop_began_ = first.when;
  }
  if (is_last()) finish();
  enter_step();
}

/// Of fields that the solver never initializes.
void StepLoop::warn_of_unused_initial_values() const {
  for (const auto& [name, data] : run_.field_data().of)
    if (data.initial && !run_.initialized_.contains(name))
      run_.runtime().log().warning(
          fmt::format("'initial.{}' is not used: the solver sets this field itself", name));
}

/// No longer than all fields have ghosts for.
void StepLoop::choose_turns() {
  if (!course_->is_fused()) return;
  int most = fields_.front()->steps_at_once();
  for (const FieldBase* field : fields_) most = std::min(most, field->steps_at_once());
  turns_ = run_.options().time.steps_at_once() ? TurnChoice(most) : TurnChoice::by_trial(most);
}

void StepLoop::enter_step() {
  in_step_ = !ended_;
  if (in_step_) begin_turn();
  if (in_step_ && run_.work() != nullptr) run_.work()->begin_step();
  run_.set_step_under_way(ended_ ? 0 : run_.step_ + 1);
  turn_began_ = rt::now();
}

/// As many steps at once as may be, up to one after which somebody looks at the fields.
void StepLoop::begin_turn() {
  turn_ = 1;
  const int most = turns_.steps();
  while (turn_ < most && !is_due_after(run_.step_ + turn_)) ++turn_;
  course_->set_turn(turn_);
}

bool StepLoop::is_due_after(long long step) const {
  if (course_->is_last(step) || (finite_every_ > 0 && step % finite_every_ == 0)) return true;
  if (!outputs_) return false;
  RunOutputs::Moment then = moment();
  then.step = step;
  then.time = course_->time_at(step);
  then.time_before = course_->time_at(step - 1);
  return outputs_->is_due(then);
}

void StepLoop::resume() {
  outputs_->restore_changed();
  outputs_->open(run_.step_);
  start_at(run_.step_);
  solver_reason_ = outputs_->restored()->ended_because;
}

void StepLoop::start_at(long long step) {
  first_step_ = run_.step_ = step;
  run_.time_ = time_before_ = course_->start(step);
}

void StepLoop::announce() {
  rt::Runtime& runtime = run_.runtime();
  const GridBase& grid = fields_.front()->grid();
  std::string extent, lengths;
  double cells = 1.0;
  for (int axis = 0; axis < grid.dimensions(); ++axis) {
    extent += fmt::format("{}{}", axis == 0 ? "" : " x ", grid.extent(axis));
    lengths += fmt::format("{}{:g}", axis == 0 ? "" : " x ", grid.length(axis));
    cells *= static_cast<double>(grid.extent(axis));
  }
  runtime.log().entry("grid", fmt::format("{} cells, {} m", extent, lengths));
  for (const auto& [name, value] : grid.comm().description()) runtime.log().entry(name, value);
  course_->announce(runtime.log(), run_.step_);
  runtime.log().entry("overlap", run_.exchange_options().overlap
                                     ? "kernels run while their halo messages fly"
                                     : "off");
  if (run_.options().check_halos())
    runtime.log().entry("checks", "stops where a kernel would read stale ghosts");
  rt::ProgressPlan plan = course_->progress(run_.step_, run_.time_);
  plan.work_per_step = cells;
  runtime.progress_line().begin(std::move(plan));
}

void StepLoop::impose_boundary() {
  const rt::Timed timed(run_.runtime().trace(), boundary_region_);
  for (FieldBase* field : fields_) field->impose_boundary(run_.time_);
}

bool StepLoop::stop_requested() {
  const rt::Timed timed(run_.runtime().trace(), stop_region_);
  return run_.runtime().stop().should_stop();
}

void StepLoop::advance() {
  const double seconds = rt::seconds_between(turn_began_, rt::now());
  if (run_.work() != nullptr) run_.work()->end_step();
  const rt::Timed timed(run_.runtime().trace(), between_region_);
  in_step_ = false;
  complete_step();
  turns_.note(turn_, seconds, run_.runtime().comm());
  if (run_.sample() != nullptr)
    advance_sample();
  else
    look_after(stop_requested());
  enter_step();
}

void StepLoop::complete_step() {
  run_.step_ += turn_;
  time_before_ = turn_ > 1 ? course_->time_at(run_.step_ - 1) : run_.time_;
  run_.time_ = course_->complete(run_.step_);
  impose_boundary();
  run_.runtime().progress_line().update(run_.step_, run_.time_);
}

void StepLoop::leave() {
  if (!in_step_) return;  // it has ended, or failed between two steps
  in_step_ = false;
  ended_ = true;
  if (run_.sample() != nullptr) return;
  if (!rt::unwinding()) return leave_by_choice();
  if (!rt::all_ranks_unwind()) return;
  try {
    leave_by_error();
  } catch (...) {
    // The error under way comes first. Where this rank alone has failed now, others wait for it in
    // vain, until that error ends the run on all.
    return;
  }
}

void StepLoop::leave_by_choice() {
  const long long step = number();
  const auto give_up = [&] { return has_unexpected_ghosts(fields_); };
  if (!run_.runtime().stop().all_leave(give_up))
    throw rt::internal_failure(
        fmt::format("this rank has left the loop of steps in step {}, but others go on", step),
        "A break or return must be the same on all ranks: decide by what all of them know, for "
        "instance by the result of a reduction.");
  if (solver_reason_.empty())
    solver_reason_ = fmt::format("the solver left its loop in step {}", step);
  complete_step();
  look_after(false);
}

void StepLoop::leave_by_error() {
  if (!rt::FailureGuard::all_ranks_met(run_.runtime().comm())) return;
  is_whole_ = false;
  solver_reason_ = fmt::format("an error ended step {}", run_.step_ + 1);
  complete_step();
  look_after(false);
  run_.runtime().log().entry("last output",
                             fmt::format("of step {}, as an error has left it", run_.step_));
}

void StepLoop::look_after(bool stop_requested) {
  if (iteration_ != nullptr)
    if (const auto residual = iteration_->take_residual())
      outputs_->note_residual(run_.step_, *residual, iteration_->relative());
  // After an error ranks may not have the same ones.
  if (is_whole_ && !run_.inner_loops().empty()) outputs_->note_solutions(run_.step_);
  const bool due = outputs_->is_due(moment());
  const bool look =
      is_last() || stop_requested || due || (finite_every_ > 0 && run_.step_ % finite_every_ == 0);
  if (look && course_->depends_on_ranks()) check_times();
  if (look) check_finite();
  if (due) outputs_->write(moment());
  if (is_last()) return finish();
  if (stop_requested) return stop_early();
  if (run_.work() != nullptr && outputs_->wrote_checkpoint_at(run_.step_)) move_work();
}

/// Where that pays, the run ends here, and goes on from the checkpoint with other blocks.
void StepLoop::move_work() {
  if (!run_.work()->is_worth_moving()) return;
  run_.runtime().progress_line().end();
  run_.runtime().log().entry(
      "work moves", fmt::format("after {}: {}", course_->name_of(run_.step_),
                                run_.work()->goes_back() ? "back, since steps took longer"
                                                         : "ranks that were late get less"));
  ended_ = true;
  throw WorkMoves{};
}

/// Ranks that gave step.limit() different numbers would drift apart, and wait for each other at the
/// end.
void StepLoop::check_times() {
  const rt::Timed timed(run_.runtime().trace(), finite_region_);
  const std::array<double, 2> mine{run_.time_, -run_.time_};
  std::array<double, 2> least{};
  fields_.front()->grid().comm().all().allreduce(std::span(mine), std::span(least),
                                                 comm::Operator::minimum);
  if (least[0] == -least[1]) return;
  throw rt::internal_failure(
      fmt::format("after step {} the ranks disagree about the time: {:.17g} s to {:.17g} s",
                  run_.step_, least[0], -least[1]),
      "Give step.limit() the same number on all ranks, such as the result of a reduction.",
      rt::Reach::all_ranks);
}

void StepLoop::check_finite() {
  const rt::Timed timed(run_.runtime().trace(), finite_region_);
  for (const FieldBase* field : fields_) {
    const std::string place = place_not_finite(*field);
    if (place.empty()) continue;
    const std::string last_good = last_finite_ >= 0
                                      ? fmt::format("; all was finite at step {}", last_finite_)
                                      : std::string{};
    run_.runtime().progress_line().end();
    throw rt::numerical_failure(
        fmt::format("'{}' is not a finite number at step {} (time {:.6g} s), {}{}", field->name(),
                    run_.step_, run_.time_, place, last_good),
        run_.step_ == 0 ? "Check the initial data."
                        : "Check the time step, the boundary data and the solver; "
                          "time.finite_every: 1 finds the "
                          "first bad step.",
        rt::Reach::all_ranks);
  }
  last_finite_ = run_.step_;
}

void StepLoop::stop_early() {
  rt::Runtime& runtime = run_.runtime();
  outputs_->write_checkpoint(moment());
  runtime.progress_line().end();
  runtime.set_exit_code(rt::ExitCode::stopped_early);
  runtime.log().entry("stopped", fmt::format("after {}: {}", course_->name_of(run_.step_),
                                             runtime.stop().reason_text()));
  run_.outcome().results.emplace_back("go on with", "the same command and --restart");
  finish();
}

void StepLoop::finish() {
  const rt::Timed timed(run_.runtime().trace(), report_region_);
  ended_ = true;
  run_.outcome().is_complete = true;
  run_.set_step_under_way(0);
  rt::Runtime& runtime = run_.runtime();
  const double seconds = rt::seconds_between(loop_began_, rt::now());
  runtime.progress_line().end();
  const bool missed = is_last() && solver_reason_.empty() && course_->has_missed();
  if (missed) outputs_->write_checkpoint(moment());
  outputs_->finish(is_last());
  const long long done = run_.step_ - first_step_;
  run_.outcome().steps_done = done;
  auto& section = runtime.report().section("run");
  section.add("solver", run_.solver().name);
  section.add("steps", std::int64_t{done});
  section.add("last step", std::int64_t{run_.step_});
  course_->report(runtime.report());
  turns_.report(section);
  const std::string reason = solver_reason_.empty() ? course_->ended_because() : solver_reason_;
  if (!reason.empty()) section.add("ended because", reason);
  const GridBase& grid = fields_.front()->grid();
  const auto cells = static_cast<double>(grid.block(Centring::cell).global_points());
  if (done > 0 && seconds > 0.0)
    section.add("cell updates per second", cells * static_cast<double>(done) / seconds, "1/s");
  if (done == 0)
    runtime.log().entry("finished",
                        "nothing was left to do" + (reason.empty() ? "" : ": " + reason));
  report_inner_loops(runtime.report(), run_.inner_loops());
  report_halos(runtime.report(), grid.comm(), run_.halo_statistics());
  if (run_.work() != nullptr) run_.work()->report(runtime.report(), grid.comm());
  comm::report_collectives(runtime.report(), grid.comm());
  auto& values = runtime.report().section("fields");
  for (std::size_t i = 2; i < outputs_->last_row().size(); ++i)  // behind time and dt
    values.add(outputs_->columns()[i], outputs_->last_row()[i]);
  if (missed) course_->arrive();
}

void StepLoop::begin_sample() {
  require_output_directory(run_, fields_.front()->grid());
  Sample& sample = *run_.sample();
  run_.time_ = course_->start(0);
  course_->describe(sample);  // where no step is made
  sample.pictures = shown_.pictures.size();
  if (shown_.volume != nullptr) run_.note_storage(sizeof(float), 1, 1);  // what rays see
  for (const FieldBase* field : fields_) {
    const Sample::FieldNote note{field->name(), field->element().bytes(),
                                 shown_.bytes_of(field->name())};
    if (field->positions() == nullptr) {
      sample.fields.push_back(note);
    } else {
      const auto count = static_cast<std::size_t>(std::llround(
          sample.particles_scale * static_cast<double>(field->block().global_points())));
      sample.fields.push_back(
          {note.name, 0, 0, count * note.bytes_per_point, count * note.output_bytes_per_point});
    }
  }
  for (const auto& shown : run_.shown())
    sample.output_only_bytes += shown_.bytes_of(shown.field->name());
  sample.numbers = run_.state().save();
  ended_ = sample.only_checks || is_last();
  loop_began_ = rt::now();
  enter_step();
}

void StepLoop::advance_sample() {
  constexpr long long warm_up = 2;
  if (writes_fields_within(run_.options(), run_.step_ - turn_, run_.step_)) use_caches();
  // Of a run that is over before, all steps are part of a trial.
  const bool waits =
      (turns_.is_under_trial() && !course_->is_last(turns_.steps_of_trial())) ||
      (!meter_ && !course_->is_last(2LL * SweepTrial::most_sweeps()) && sweeps_are_tried());
  if (meter_) {
    ended_ = is_measured(run_.step_ - first_step_) || is_last();
  } else if (ended_ = is_last(); run_.step_ >= warm_up && !waits) {
    meter_ = std::make_unique<LoopMeter>(run_, fields_.front()->grid());
    first_step_ = run_.step_;
  }
  if (ended_) course_->describe(*run_.sample());
}

/// Whether a sweep of the last turn was part of a trial, on any rank. For a second: what takes
/// longer is measured as it is then. Collective.
bool StepLoop::sweeps_are_tried() {
  constexpr double long_enough = 1.0;
  const std::int64_t tried = run_.halo_statistics().tried_sweeps;
  const bool here = std::exchange(tried_sweeps_, tried) != tried &&
                    rt::seconds_between(loop_began_, rt::now()) < long_enough;
  return fields_.front()->grid().comm().allreduce(here ? 1.0 : 0.0, comm::Operator::maximum) > 0.0;
}

/// As what would be written now does, so that the next step finds nothing of its own there.
void StepLoop::use_caches() {
  constexpr std::size_t line = 64;
  rt::Trace& trace = run_.runtime().trace();
  const rt::Timed timed(trace, trace.region("output"));
  other_data_.resize(bytes_of_caches());
  for (std::size_t at = 0; at < other_data_.size(); at += line) ++other_data_[at];
}

/// Looked at after 1, 2, 4… steps, so that asking all ranks costs next to nothing. Short steps are
/// measured for as long as it takes until a rank's bad moment counts for little.
bool StepLoop::is_measured(long long steps) {
  constexpr long long many = 64;
  constexpr double enough_seconds = 0.5, enough_of_many = 0.1;
  if (steps < measure_at_ && !is_last()) return false;
  while (measure_at_ <= steps) measure_at_ *= 2;
  run_.sample()->loop = meter_->read(steps);
  const double seconds = meter_->longest();
  return seconds > (steps >= many ? enough_of_many : enough_seconds);
}

RunOutputs::Moment StepLoop::moment() const {
  CheckpointState counted;
  course_->remember(counted);
  return {run_.step_,
          course_->time_label(run_.step_, run_.time_),
          course_->time_step(),
          time_before_,
          is_last(),
          solver_reason_,
          is_whole_,
          counted.since_step,
          counted.since_time};
}

}  // namespace cartwright::grid
