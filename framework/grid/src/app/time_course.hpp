// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/app/time_plan.hpp>
#include <cartwright/grid/run/steps.hpp>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "course.hpp"

namespace cartwright::grid {

class Run;

/// Time steps: all of the same size, or each found by the solver while it is made.
class TimeCourse final : public Course {
 public:
  explicit TimeCourse(Run& run);

  void limit(double largest, const std::string& scheme);
  void adapt();
  void fuse();
  /// Of every step; not for adaptive ones.
  [[nodiscard]] double fixed_step();
  /// The size of the step under way, at most `largest`.
  [[nodiscard]] double limit_step(double largest);
  /// What the solver gets.
  [[nodiscard]] Step item(long long number, double time);

  void resume(const CheckpointState& checkpoint) override { checkpoint_ = checkpoint; }
  void plan() override;
  double start(long long step) override;
  double complete(long long step) override;
  void set_turn(int steps) override { turn_ = steps; }
  [[nodiscard]] bool is_fused() const override { return fused_; }
  [[nodiscard]] double time_at(long long step) const override;
  [[nodiscard]] bool is_last(long long step) const override;
  [[nodiscard]] bool depends_on_ranks() const override { return adaptive_; }
  [[nodiscard]] std::string name_of(long long step) const override;
  [[nodiscard]] double time_label(long long /*step*/, double time) const override { return time; }
  [[nodiscard]] double time_step() const override;
  void remember(CheckpointState& state) const override;
  void announce(rt::Log& log, long long step) const override;
  [[nodiscard]] rt::ProgressPlan progress(long long step, double time) const override;
  void report(rt::Report& report) const override;
  void describe(Sample& sample) const override;

 private:
  [[nodiscard]] const TimeOptions& options() const;
  /// The deck's step is made, also where it is larger than the solver's limit.
  [[nodiscard]] bool is_overruled() const;
  void refuse_after_begin(const char* what) const;

  Run& run_;
  std::optional<StabilityLimit> limit_;
  std::optional<CheckpointState> checkpoint_;
  bool begun_ = false;
  TimePlan plan_;  // of fixed steps
  bool planned_ = false;
  bool adaptive_ = false;
  bool fused_ = false;
  int turn_ = 1;
  std::vector<double> intervals_;
  std::optional<AdaptiveStep> current_;
  double time_ = 0.0, last_ = 0.0;  // of adaptive steps: where they are, and the size of the last
  double smallest_ = std::numeric_limits<double>::infinity(), largest_ = 0.0, travelled_ = 0.0;
  long long steps_made_ = 0;
};

}  // namespace cartwright::grid
