// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/run/field_base.hpp>
#include <cartwright/grid/run/loop_iterator.hpp>
#include <memory>
#include <string>
#include <vector>

namespace cartwright::grid {

class IterationCourse;
class Run;

/// One iteration of a run that goes towards a solution.
struct Iteration {
  using Course = IterationCourse;

  long long number;  ///< from 1

  /// Says how large the residual is now (any norm, always the same one; the same number on all
  /// ranks). The first one, or Iterations::begin_from(), is what the deck's tolerance refers to.
  /// Throws a numerical failure for one that isn't finite.
  void residual(double norm);
  /// True if the residual is as small as the deck wants it: this iteration is the last one.
  [[nodiscard]] bool converged() const;

  IterationCourse* course = nullptr;  ///< the loop's affair
};

/// The iterations of a run: `for (auto k : run.iterations(u, r, p))`. The loop ends by itself once
/// the residual is small enough. It ends with a numerical failure (exit code 2), after all that is
/// due was written, where the residual diverges, stagnates, or isn't small after the deck's limit;
/// a checkpoint is then there, and --restart with a higher limit goes on.
///
/// Between iterations happens what happens between time steps: `every` of output, pictures,
/// diagnostics and checkpoints counts iterations. convergence.csv has the residuals,
/// convergence.png shows them.
class Iterations {
 public:
  Iterations(Run& run, std::vector<FieldBase*> fields);
  Iterations(Iterations&&) noexcept;
  Iterations& operator=(Iterations&&) = delete;
  ~Iterations();

  /// The residual of the first guess, for instance the norm of the right side where the guess is
  /// zero. A loop that begins from 0 makes no iteration; one of at most `enough` is small, whatever
  /// the tolerance. Before the loop; a restart has its own.
  Iterations& begin_from(double residual, double enough = 0.0);
  /// The current iteration becomes the last one; it counts as converged if its residual is small.
  void stop(const std::string& reason);

  [[nodiscard]] LoopIterator<Iteration> begin();
  [[nodiscard]] static std::default_sentinel_t end() { return {}; }

 private:
  IterationCourse* course_;
  std::unique_ptr<StepLoop> loop_;
};

extern template class LoopIterator<Iteration>;

}  // namespace cartwright::grid
