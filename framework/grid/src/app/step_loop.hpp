// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/app/time_plan.hpp>
#include <cartwright/grid/run/run.hpp>
#include <cartwright/rt/ticks.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "run_outputs.hpp"

namespace cartwright::grid {

/// What happens before, between and after the steps of a run.
class StepLoop {
 public:
  StepLoop(Run& run, std::vector<FieldBase*> fields);

  void limit(double largest, const std::string& scheme);
  [[nodiscard]] double time_step();
  void begin();
  [[nodiscard]] bool at_end() const noexcept { return ended_; }
  [[nodiscard]] Step current() const noexcept {
    return {run_.step_ + 1, run_.time_, plan_->time_step};
  }
  void advance();
  /// Collective when the loop was left before its end: writes the last state.
  void leave();
  void stop(const std::string& reason) { solver_reason_ = reason; }

 private:
  void restore();
  void resume();
  void start_at(long long step);
  void announce();
  void complete_step();
  void look_after(bool stop_requested);
  void leave_by_choice();
  void leave_by_error();
  void stop_early();
  void finish();
  void check_finite();
  [[nodiscard]] bool stop_requested();
  void impose_boundary();
  void begin_sample();
  void advance_sample();
  [[nodiscard]] double time_of(long long step) const { return plan_->time_of(step); }
  [[nodiscard]] bool is_last() const {
    return run_.step_ >= plan_->last_step || !solver_reason_.empty();
  }
  [[nodiscard]] RunOutputs::Moment moment() const {
    return {run_.step_, run_.time_, plan_->time_step, is_last(), solver_reason_, is_whole_};
  }

  Run& run_;
  std::vector<FieldBase*> fields_;
  ShownFields shown_;
  std::optional<StabilityLimit> limit_;
  std::optional<TimePlan> plan_;
  std::unique_ptr<RunOutputs> outputs_;  // none in a sample
  long long finite_every_ = 0;
  long long last_finite_ = -1;
  long long first_step_ = 0;
  bool begun_ = false, ended_ = false;
  bool in_step_ = false;  // the solver's code is at work
  bool is_whole_ = true;  // false once an error has ended a step
  std::string solver_reason_;
  rt::Ticks loop_began_{};
  rt::RegionId begin_region_, between_region_, stop_region_, boundary_region_, finite_region_,
      report_region_;
};

}  // namespace cartwright::grid
