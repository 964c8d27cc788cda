// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/rt/communicator.hpp>
#include <cartwright/rt/report.hpp>
#include <vector>

namespace cartwright::grid {

/// How many steps a turn of a loop makes (see Steps::fused()). Where nobody has said so, the first
/// turns try 1, 2, 4 …, as many as fields have ghosts for, several times each; what took the least
/// time a step stays. The same on all ranks.
class TurnChoice {
 public:
  /// Always `steps`.
  explicit TurnChoice(int steps = 1) : chosen_(steps) {}
  /// What is the quickest, up to `most`.
  [[nodiscard]] static TurnChoice by_trial(int most);

  /// Of the turn that comes next; it may be shorter.
  [[nodiscard]] int steps() const { return chosen_ > 0 ? chosen_ : candidates_[next_].steps; }
  [[nodiscard]] bool is_under_trial() const { return chosen_ == 0; }
  /// After so many steps in all there is a choice.
  [[nodiscard]] long long steps_of_trial() const;
  /// After a turn; collective at the end of the trial.
  void note(int steps, double seconds, const rt::Communicator& comm);
  /// Nothing where there is nothing to choose.
  void report(rt::Report::Section& section) const;

 private:
  struct Candidate {
    int steps;
    std::vector<double> seconds;  ///< a step, of whole turns
    double typical;               ///< lower quartile of the slowest rank, once the trial has ended
  };
  /// That each candidate makes: two turns of the longest.
  [[nodiscard]] int steps_of_round() const;
  void decide(const rt::Communicator& comm);

  int chosen_ = 0;  ///< 0: not yet
  std::vector<Candidate> candidates_;
  std::size_t next_ = 0;
  int rounds_ = 0;
  int turns_ = 0;  ///< of this candidate in this round
};

}  // namespace cartwright::grid
