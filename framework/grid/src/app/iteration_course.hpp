// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/field/array.hpp>
#include <cartwright/grid/run/iterations.hpp>
#include <cartwright/grid/run/run_options.hpp>
#include <functional>
#include <optional>
#include <string>

#include "course.hpp"

namespace cartwright::grid {

class Run;

/// Iterations until the residual is small enough, or until there is no hope that it becomes so.
class IterationCourse final : public Course {
 public:
  explicit IterationCourse(Run& run);

  /// What residuals are compared with: of the first guess. At most once, before the loop.
  void begin_from(double residual);
  /// Of the iteration under way.
  void add(long long number, double residual);
  [[nodiscard]] bool is_converged() const;
  /// What the solver gets.
  [[nodiscard]] Iteration item(long long number, double /*time*/) { return {number, this}; }
  /// Of the newest residual, relative to the first; 1 before there is one.
  [[nodiscard]] double relative() const;

  void resume(const CheckpointState& /*checkpoint*/) override {}
  void plan() override;
  double start(long long step) override;
  double complete(long long step) override;
  [[nodiscard]] bool is_last(long long step) const override;
  [[nodiscard]] std::string ended_because() const override;
  [[nodiscard]] bool has_missed() const override { return !is_converged(); }
  void arrive() const override;
  [[nodiscard]] std::string name_of(long long step) const override;
  [[nodiscard]] double time_label(long long step, double time) const override;
  void announce(rt::Log& log, long long step) const override;
  [[nodiscard]] rt::ProgressPlan progress(long long step, double time) const override;
  void report(rt::Report& report) const override;
  void describe(Sample& sample) const override;

  /// The residual that was added since the last call, if any.
  [[nodiscard]] std::optional<double> take_residual();

 private:
  enum Number { known, first, newest, best, best_at, numbers };
  [[nodiscard]] const IterationOptions& options() const;
  [[nodiscard]] bool has_first() const { return state_[known] != 0.0; }
  /// Why it makes no sense to go on; empty if it does.
  [[nodiscard]] std::string hopeless() const;

  Run& run_;
  Array<double> state_;
  long long done_ = 0;
  std::optional<double> fresh_;
};

}  // namespace cartwright::grid
