// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/arrivals/arrival_planner.hpp>
#include <cartwright/plan/arrivals/message_runs.hpp>
#include <cartwright/plan/selection/operation.hpp>

#include <string>
#include <vector>

#include "forecast_grid.hpp"

namespace cartwright::plan::arrivals {

/// A way to reduce, and what it took after the last arrival in simulated runs, ns.
struct Judged {
  Samples after_last{};
  double mean = 0.0;
  bool operator<(const Judged& other) const { return mean < other.mean; }
};

/// The runs in which ways are compared.
class Trials {
 public:
  /// `exact`: nothing is off, and one run says all.
  Trials(std::vector<Samples> arrivals, bool exact);
  [[nodiscard]] Judged judge(const TimesToEnd& runs) const;
  /// In the first of the runs.
  [[nodiscard]] double last_arrival() const { return last_.of_run.front(); }
  [[nodiscard]] bool exact() const { return exact_; }

 private:
  std::vector<Samples> arrivals_;
  Samples last_{};
  bool exact_;
};

/// What there is to choose from for one kind of call.
class Portfolio {
 public:
  /// Throws std::invalid_argument; see ArrivalPlanner.
  Portfolio(const Problem& problem, const Machine& machine);

  [[nodiscard]] const Problem& problem() const { return problem_; }
  /// Of the number of segments that is best for ranks that come together.
  [[nodiscard]] Nanoseconds round() const { return round_; }
  /// How long ranks that came together have something to do, whatever is chosen for them.
  [[nodiscard]] Nanoseconds ready() const;
  [[nodiscard]] ArrivalChoice choose(const std::vector<Nanoseconds>& lateness,
                                     const std::vector<Nanoseconds>& deviation) const;

 private:
  /// Good for ranks that come together: simulated as they are for any forecast.
  struct Known {
    Choice choice;
    TimesToEnd runs;
    double together = 0.0;
  };
  /// The best so far.
  struct Best {
    Judged judged;
    Choice choice;
    bool is_planned = false;  ///< for the forecast
  };

  void find_segments();
  void find_known(const Machine& machine);
  void keep_known(Choice choice);
  [[nodiscard]] Count bytes_of(int segments) const;
  [[nodiscard]] Choice planned(const ArrivalTask& task, PlanRule rule) const;
  [[nodiscard]] static std::vector<Nanoseconds> denoised(std::vector<Nanoseconds> lateness,
                                                         const std::vector<Nanoseconds>& deviation);
  /// When a plan may end, by its rounds, that could be better than the best so far.
  [[nodiscard]] Nanoseconds latest_of_use(PlanRule rule, const Trials& trials,
                                          const Best& best) const;
  void try_plans(const std::vector<Nanoseconds>& lateness,
                 const std::vector<Nanoseconds>& deviation, const Trials& trials, Best& best) const;
  void try_choice(Choice choice, const Trials& trials, Best& best) const;
  void try_one_late(const std::vector<Nanoseconds>& lateness, const Trials& trials,
                    Best& best) const;
  void try_by_nodes(const std::vector<Nanoseconds>& lateness, const Trials& trials,
                    Best& best) const;
  void try_plan(const ArrivalTask& task, PlanRule rule, const Trials& trials, Best& best) const;
  void try_near(ArrivalTask task, const Trials& trials, Best& best) const;

  Problem problem_;
  PairCosts costs_;
  SampledArrivals samples_;
  int segments_ = 1;          ///< best for ranks that come together
  int segments_if_late_ = 1;  ///< and where all wait for one
  Nanoseconds round_ = 1;
  std::vector<Known> known_;                ///< the best for ranks that come together first
  std::string inside_;                      ///< of nodes, the algorithm; empty: nothing is by nodes
  const Algorithm* clairvoyant_ = nullptr;  ///< where the operation has it, and the operator allows
};

}  // namespace cartwright::plan::arrivals
