// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/run/field_base.hpp>
#include <cartwright/grid/run/loop_iterator.hpp>
#include <memory>
#include <string>
#include <vector>

namespace cartwright::grid {

class Run;
class TimeCourse;

/// One time step, from `time` to `time + dt`.
struct Step {
  using Course = TimeCourse;

  long long number;  ///< from 1
  double time;       ///< at its begin
  double dt;         ///< of an adaptive step: not a number before limit()

  /// Adaptive steps: says that this one may be at most `largest` long, and returns how long it is
  /// (`dt` from now on): less where it meets the end of the run or a time at which output is due.
  /// Once a step, with the same number on all ranks, such as the result of a reduction. Throws a
  /// numerical failure for a number that isn't positive.
  double limit(double largest);

  TimeCourse* course = nullptr;  ///< the loop's affair

  /// Steps that this turn of the loop makes, one after the other: this one, and those behind it. 1
  /// without Steps::fused().
  int count = 1;
  /// The time at the begin of one of them, from 1; `count + 1`: at the end of the last. Not of
  /// adaptive steps.
  [[nodiscard]] double time_of(int number_in_turn) const;
};

/// The time steps of a run: `for (auto step : steps)`. Between them happens what the deck asks for:
/// output, pictures, diagnostics, checkpoints, progress, and stopping.
///
/// A `break` or `return` ends the run with the current step, which counts as made: output and
/// checkpoint due at the end are written as the fields are then. All ranks leave in the same step,
/// or the run fails. After an error that all ranks have met, output is written in the same way, but
/// no checkpoint.
class Steps {
 public:
  Steps(Run& run, std::vector<FieldBase*> fields);
  Steps(Steps&&) noexcept;
  Steps& operator=(Steps&&) = delete;
  ~Steps();

  /// Explicit schemes: a larger dt than `largest` is unstable. Chooses dt if the deck gives none;
  /// throws an input error that names the largest one allowed if the deck's is larger. Before the
  /// loop only.
  Steps& stable_below(double largest, const std::string& scheme) &;
  Steps stable_below(double largest, const std::string& scheme) &&;
  /// Each step finds its own size, by step.limit(). The deck's `time.step` is then the largest one.
  Steps& adaptive() &;
  Steps adaptive() &&;
  /// A turn of the loop may make several steps: step.count of them, by fused(). No more than the
  /// fields of run.steps() have ghosts for, and none that lies beyond one after which something is
  /// due: output, a checkpoint, the end. Not of adaptive steps.
  Steps& fused() &;
  Steps fused() &&;
  /// The time step, once it is known; an input error if nothing determines it.
  [[nodiscard]] double dt();
  /// The current step becomes the last one (for instance because a steady state is reached).
  void stop(const std::string& reason);

  [[nodiscard]] LoopIterator<Step> begin();
  [[nodiscard]] static std::default_sentinel_t end() { return {}; }

 private:
  TimeCourse* course_;
  std::unique_ptr<StepLoop> loop_;
};

extern template class LoopIterator<Step>;

}  // namespace cartwright::grid
