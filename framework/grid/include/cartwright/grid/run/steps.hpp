// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/run/field_base.hpp>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace cartwright::grid {

class Run;
class StepLoop;

/// One time step, from `time` to `time + dt`.
struct Step {
  long long number;  ///< from 1
  double time;       ///< at its begin
  double dt;
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
  Steps& stable_below(double largest, const std::string& scheme);
  /// The time step, once it is known; an input error if nothing determines it.
  [[nodiscard]] double dt();
  /// The current step becomes the last one (for instance because a steady state is reached).
  void stop(const std::string& reason);

  /// Its end is the end of the loop, whichever way the loop was left.
  class Iterator {
   public:
    explicit Iterator(StepLoop* loop) : loop_(loop) {}
    Iterator(Iterator&& other) noexcept : loop_(std::exchange(other.loop_, nullptr)) {}
    Iterator& operator=(Iterator&&) = delete;
    /// Collective where the loop was left early; throws what writing the last state throws.
    ~Iterator() noexcept(false);
    [[nodiscard]] Step operator*() const;
    Iterator& operator++();
    [[nodiscard]] friend bool operator==(const Iterator& i, std::default_sentinel_t) {
      return i.at_end();
    }

   private:
    [[nodiscard]] bool at_end() const;
    StepLoop* loop_;
  };
  [[nodiscard]] Iterator begin();
  [[nodiscard]] static std::default_sentinel_t end() { return {}; }

 private:
  std::unique_ptr<StepLoop> loop_;
};

}  // namespace cartwright::grid
