// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/run/convergence.hpp>
#include <string>
#include <utility>
#include <vector>

namespace cartwright::rt {
class Report;
}

namespace cartwright::grid {

class App;

/// What the solutions of one kind inside a run's steps have come to.
struct InnerLoopRecord {
  std::string name;
  long long solutions = 0, iterations = 0, most = 0;
  double worst = 0.0;   ///< residual that one ended with, as a part of its first one
  double latest = 0.0;  ///< that of the last one
};

/// Adds a section for each.
void report_inner_loops(rt::Report& report, const std::vector<InnerLoopRecord>& records);

/// A loop inside of a step that goes towards a solution, such as that of a linear system; the run's
/// report and `solutions_NAME.csv` say how these went:
/// `cw::InnerLoop loop(run, "pressure by relaxation", {.tolerance = 1e-6, .limit = 500});`, then in
/// each step `for (loop.begin(norm); !loop.ended();) loop.residual(relax());` and `loop.finish()`.
/// Residuals are the same on all ranks.
class InnerLoop {
 public:
  InnerLoop(App& app, std::string name, const IterationOptions& options)
      : app_(app), name_(std::move(name)), convergence_(options) {}

  /// The residual of the first guess; one of at most `enough` is small, whatever the tolerance.
  void begin(double residual, double enough = 0.0);
  /// Of one more iteration.
  void residual(double norm);
  [[nodiscard]] bool ended() const { return convergence_.has_ended(done_); }
  [[nodiscard]] bool converged() const { return convergence_.is_converged(); }
  [[nodiscard]] long long iterations() const { return done_; }
  [[nodiscard]] const Convergence& convergence() const { return convergence_; }
  [[nodiscard]] Convergence& convergence() { return convergence_; }
  /// Notes the solution for the report. Throws a numerical failure (all ranks; exit code 2), with
  /// the step and the reason, if there is none. `key`: the deck's tolerance.
  void finish(const std::string& key = "its tolerance");
  /// Throws that failure, where the loop itself sees no way to go on.
  [[noreturn]] void give_up(const std::string& reason) const;

 private:
  App& app_;
  std::string name_;
  Convergence convergence_;
  long long done_ = 0;
};

}  // namespace cartwright::grid
