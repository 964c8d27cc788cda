// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/run/convergence.hpp>
#include <cartwright/grid/run/iterations.hpp>
#include <cartwright/grid/run/run_state.hpp>
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
  void begin_from(double residual, double enough) { convergence_.begin(residual, enough); }
  /// Of the iteration under way.
  void add(long long number, double residual);
  [[nodiscard]] bool is_converged() const { return convergence_.is_converged(); }
  /// What the solver gets.
  [[nodiscard]] Iteration item(long long number, double /*time*/) { return {number, this}; }
  /// Of the newest residual, relative to the first; 1 before there is one.
  [[nodiscard]] double relative() const { return convergence_.relative(); }

  void resume(const CheckpointState& /*checkpoint*/) override {}
  void plan() override;
  double start(long long step) override;
  double complete(long long step) override;
  [[nodiscard]] bool is_last(long long step) const override { return convergence_.has_ended(step); }
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
  [[nodiscard]] const IterationOptions& options() const;

  Run& run_;
  Convergence convergence_;
  StateMember remembered_;
  long long done_ = 0;
  std::optional<double> fresh_;
};

}  // namespace cartwright::grid
