// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/run/run.hpp>
#include <cartwright/rt/ticks.hpp>
#include <memory>
#include <string>
#include <vector>

#include "course.hpp"
#include "loop_meter.hpp"
#include "run_outputs.hpp"
#include "turn_choice.hpp"

namespace cartwright::grid {

class IterationCourse;

/// What happens before, between and after the steps of a run, whatever their course.
class StepLoop {
 public:
  /// `course` lives as long as the loop does.
  StepLoop(Run& run, std::vector<FieldBase*> fields, std::unique_ptr<Course> course);

  void begin();
  [[nodiscard]] bool at_end() const noexcept { return ended_; }
  /// Of the step under way: its number, and the time at its begin.
  [[nodiscard]] long long number() const noexcept { return run_.step_ + 1; }
  [[nodiscard]] double time() const noexcept { return run_.time_; }
  void advance();
  /// Collective when the loop was left before its end: writes the last state.
  void leave();
  void stop(const std::string& reason) { solver_reason_ = reason; }

 private:
  void restore();
  void enter_step();
  void resume();
  void start_at(long long step);
  void announce();
  void warn_of_unused_initial_values() const;
  void choose_turns();
  void begin_turn();
  [[nodiscard]] bool is_due_after(long long step) const;
  void complete_step();
  void look_after(bool stop_requested);
  void leave_by_choice();
  void leave_by_error();
  void stop_early();
  void move_work();
  void finish();
  void check_finite();
  void check_times();
  [[nodiscard]] bool stop_requested();
  void impose_boundary();
  void begin_sample();
  void advance_sample();
  [[nodiscard]] bool is_measured(long long steps);
  [[nodiscard]] bool sweeps_are_tried();
  void use_caches();
  [[nodiscard]] bool is_last() const {
    return course_->is_last(run_.step_) || !solver_reason_.empty();
  }
  [[nodiscard]] RunOutputs::Moment moment() const;

  Run& run_;
  std::vector<FieldBase*> fields_;
  std::unique_ptr<Course> course_;
  IterationCourse* iteration_;  // the same, if it is one
  ShownFields shown_;
  std::unique_ptr<RunOutputs> outputs_;  // none in a sample
  long long finite_every_ = 0;
  long long last_finite_ = -1;
  long long first_step_ = 0;
  double time_before_ = 0.0;  // of the last step, where it began
  bool begun_ = false, ended_ = false;
  bool in_step_ = false;  // the solver's code is at work
  bool is_whole_ = true;  // false once an error has ended a step
  std::string solver_reason_;
  int turn_ = 1;  // steps of the turn under way
  TurnChoice turns_;
  rt::Ticks turn_began_{};
  long long measure_at_ = 1;  // of a sample
  std::int64_t tried_sweeps_ = 0;
  rt::Ticks loop_began_{};
  std::unique_ptr<LoopMeter> meter_;  // of a sample, once it has warmed up
  std::vector<char> other_data_;      // that take the caches of a sample
  rt::RegionId begin_region_, between_region_, stop_region_, boundary_region_, finite_region_,
      report_region_;
};

}  // namespace cartwright::grid
