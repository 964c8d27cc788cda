// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/output/checkpoint.hpp>
#include <cartwright/rt/log.hpp>
#include <cartwright/rt/progress_line.hpp>
#include <cartwright/rt/report.hpp>
#include <string>
#include <vector>

namespace cartwright::grid {

struct Sample;

/// The way that a run goes from step to step: through time, or by iterations towards a solution.
/// The loop does what both have in common.
class Course {
 public:
  Course() = default;
  Course(const Course&) = delete;
  Course& operator=(const Course&) = delete;
  virtual ~Course() = default;

  /// A restart will go on from there.
  virtual void resume(const CheckpointState& checkpoint) = 0;
  /// Throws Deck::error where the deck doesn't say all that this way needs. Before the loop.
  virtual void plan() = 0;
  /// Steps that are complete: where the way begins. Returns the simulated time.
  [[nodiscard]] virtual double start(long long step) = 0;
  /// The step was made; returns the simulated time. All ranks get the same answers.
  [[nodiscard]] virtual double complete(long long step) = 0;
  [[nodiscard]] virtual bool is_last(long long step) const = 0;
  /// True if a turn of the loop may make several steps; so many, from now on.
  [[nodiscard]] virtual bool is_fused() const { return false; }
  virtual void set_turn(int /*steps*/) {}
  /// The simulated time after a step that may not have been made yet; only where is_fused().
  [[nodiscard]] virtual double time_at(long long /*step*/) const { return 0.0; }
  /// Why no further step is made, if that isn't how the deck ends the run.
  [[nodiscard]] virtual std::string ended_because() const { return {}; }
  /// True if the way has ended short of where it was to lead.
  [[nodiscard]] virtual bool has_missed() const { return false; }
  /// After all was written: says so. Throws if has_missed().
  virtual void arrive() const {}
  /// True if ranks may have different ideas of how far they are.
  [[nodiscard]] virtual bool depends_on_ranks() const { return false; }

  /// "step 5 of 100"
  [[nodiscard]] virtual std::string name_of(long long step) const = 0;

  /// What outputs call the time of a step.
  [[nodiscard]] virtual double time_label(long long step, double time) const = 0;
  /// Of the last step; what checkpoints remember.
  [[nodiscard]] virtual double time_step() const { return 0.0; }
  virtual void remember(CheckpointState& /*state*/) const {}

  virtual void announce(rt::Log& log, long long step) const = 0;
  [[nodiscard]] virtual rt::ProgressPlan progress(long long step, double time) const = 0;
  virtual void report(rt::Report& report) const = 0;
  /// After the steps of a sample.
  virtual void describe(Sample& sample) const = 0;
};

}  // namespace cartwright::grid
