// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/rt/communicator.hpp>
#include <cartwright/rt/ticks.hpp>
#include <cstddef>
#include <functional>
#include <vector>

namespace cartwright::bench {

/// Times of contestants that take turns (A B A B …) in one run, so that what else happens on the
/// machine meets them alike. A turn begins on all ranks behind a barrier and takes as long as on
/// the slowest rank.
class Race {
 public:
  using Samples = std::vector<double>;  ///< seconds, one a round

  Race(const rt::Communicator& comm, std::size_t contestants)
      : comm_(comm.duplicate()), samples_(contestants) {}

  /// Collective. The turn of a contestant begins…
  void begin();
  /// …and ends. `repeats`: how often the work was done within the turn.
  void end(std::size_t contestant, int repeats = 1);
  /// One whole turn of `repeats` calls.
  void turn(std::size_t contestant, const std::function<void()>& work, int repeats = 1);
  /// Forgets all samples, for instance after warming up.
  void restart();

  [[nodiscard]] std::size_t rounds() const noexcept { return samples_.front().size(); }
  /// Collective: the samples by contestant, each the slowest rank's; the same on all ranks.
  [[nodiscard]] std::vector<Samples> finish() const;

 private:
  rt::Communicator comm_;
  std::vector<Samples> samples_;
  rt::Ticks begun_{};
};

/// How long to go on.
struct Effort {
  double seconds = 1.0;  ///< of measuring, about
  int fewest_rounds = 11;
  int most_rounds = 1001;
  double patience =
      4.0;  ///< after `seconds` times this, even fewer rounds must do (a busy machine)
  double shortest_turn = 2.0e-4;  ///< seconds; quicker work is repeated within a turn
  int unmeasured = 0;  ///< calls before each turn: what others have left in the caches is gone
};

/// Collective. Lets `contestants` take turns and returns their times for one call, in seconds.
[[nodiscard]] std::vector<Race::Samples> race(const rt::Communicator& comm,
                                              const std::vector<std::function<void()>>& contestants,
                                              const Effort& effort);

}  // namespace cartwright::bench
