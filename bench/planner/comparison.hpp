// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/arrivals/arrival_planner.hpp>
#include <cartwright/plan/arrivals/message_runs.hpp>
#include <string>
#include <vector>

#include "generators.hpp"

namespace cartwright::bench {

/// A reduction of so many bytes on the 128 nodes of CURIE, by its linear model (Marendic 2016, 4).
class Cluster {
 public:
  explicit Cluster(plan::Count bytes);

  [[nodiscard]] const plan::Problem& problem() const { return problem_; }
  [[nodiscard]] const plan::Machine& machine() const { return machine_; }
  [[nodiscard]] int ranks() const { return problem_.ranks; }
  /// What the best plan for ranks that come together takes, and a round of it.
  [[nodiscard]] plan::Nanoseconds together() const { return together_; }
  [[nodiscard]] plan::Nanoseconds round() const { return round_; }
  /// One that is off from these arrivals by so many rounds.
  [[nodiscard]] plan::ArrivalForecast forecast(const std::vector<plan::Nanoseconds>& arrivals,
                                               double off, Draws& draws) const;
  /// Segments of the best plan for ranks that come together.
  [[nodiscard]] int segments() const { return segments_; }

 private:
  plan::Machine machine_;
  plan::Problem problem_;
  int segments_ = 1;
  plan::Nanoseconds together_ = 0, round_ = 1;
};

/// Means over draws; times from the first arrival on, in ns.
struct Compared {
  double ours = 0.0, best = 0.0;
  double to_best = 0.0;        ///< ours to the best of the others
  double worst_to_best = 0.0;  ///< in the worst draw
  double after_last = 0.0;     ///< times from the last arrival on, ours to the best of the others
  std::vector<double> others;  ///< to ours
  double redirected = 0.0;     ///< the same of the tree that goes round whoever isn't there
  std::string best_name, chosen;
};

/// With forecasts that are off: times to that of the plan for ranks that come together.
struct WhenOff {
  double portfolio = 0.0, plan_for_forecast = 0.0;
};

/// Plans and the five other algorithms of the paper on a cluster, simulated by its rules: rounds
/// end for a rank once what it sends and receives is through. Beside them a tree without forecasts
/// that goes round late ranks; to find out who is there costs it nothing here.
class Comparison {
 public:
  explicit Comparison(const Cluster& cluster);
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] Compared run(const Generator& generator, int draws) const;
  [[nodiscard]] WhenOff run_off(const Generator& generator, double off, int draws) const;

 private:
  [[nodiscard]] double time_of(const plan::MessageRuns& runs,
                               const std::vector<plan::Nanoseconds>& arrivals) const;
  [[nodiscard]] double time_of(const plan::Choice& choice,
                               const std::vector<plan::Nanoseconds>& arrivals) const;
  [[nodiscard]] double time_redirected(const std::vector<plan::Nanoseconds>& arrivals) const;

  const Cluster& cluster_;
  plan::PairCosts costs_;
  std::vector<std::string> names_;
  std::vector<plan::MessageRuns> others_;
};

}  // namespace cartwright::bench
