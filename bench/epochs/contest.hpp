// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "../common/program.hpp"
#include "../common/race.hpp"

namespace cartwright::bench {

/// A program by three contestants: ours, ours that closes each epoch by waiting, and a peer's.
struct Contest {
  std::string what;  ///< for names of cases
  std::string peer;
  std::string way;
  nlohmann::ordered_json parameters;
  std::vector<std::function<void()>> contestants;
};

/// Collective. Ours against both others.
void race_contest(const Contest& contest, const Effort& effort, const Setting& setting,
                  Results& results);

/// Sleeps of a rank, of random length, exponential: in a round the same for all contestants.
class Disturbance {
 public:
  explicit Disturbance(int rank) : rank_(rank) {}
  /// From now on; 0: not at all.
  void sleep_for(double mean) { mean_ = mean; }
  void next_round() { ++round_; }
  [[nodiscard]] bool is_on() const { return mean_ > 0; }
  /// What is drawn from it is the same for each contestant.
  [[nodiscard]] std::mt19937 random_of(int step) const;
  void sleep(std::mt19937& random) const;

 private:
  double mean_ = 0;
  int rank_, round_ = 0;
};

/// Collective. The same, while each step of a contestant is disturbed: for mean times that are such
/// `shares` (the first: 0) of a step, of which a contestant makes so many, of ours that wait.
void race_disturbed(Contest contest, Disturbance& disturbance, const std::vector<double>& shares,
                    int steps, const Effort& effort, const Setting& setting, Results& results);

}  // namespace cartwright::bench
