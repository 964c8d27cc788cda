// SPDX-License-Identifier: Apache-2.0
#include <cartwright/plan/arrivals/arrival_planner.hpp>
#include <cartwright/plan/arrivals/message_waves.hpp>
#include <cartwright/plan/selection/selector.hpp>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace cartwright::plan {

class ArrivalPlanner::Portfolio {
 public:
  Portfolio(Problem problem, Machine machine)
      : problem_(problem), machine_(std::move(machine)), costs_(checked(problem), machine_) {
    balanced_ = select_simplest(problem_, machine_);
  }

  const ArrivalChoice& choose(const ArrivalForecast& forecast) {
    result_ = {balanced_, 0.0, 0.0};
    std::vector<Samples> arrivals(static_cast<std::size_t>(problem_.ranks));
    double latest = 0.0;
    for (std::size_t rank = 0; rank < arrivals.size(); ++rank) {
      arrivals[rank].of_run.fill(static_cast<double>(forecast.lateness.at(rank)));
      latest = std::max(latest, arrivals[rank].of_run.front());
    }
    const auto seconds_of = [&](const Choice& choice) {
      const MessageWaves waves(problem_, costs_, choice);
      return 1e-9 * (waves.finish(arrivals).of_run.front() - latest);
    };
    result_.balanced_seconds_after_last = result_.seconds_after_last = seconds_of(balanced_);
    if (problem_.operation != Operation::reduce || !problem_.commutative) return result_;
    const Count segments = std::clamp<Count>(problem_.elements, 1, 16);
    const Nanoseconds round =
        costs_.round((problem_.elements + segments - 1) / segments * problem_.element_size);
    Choice planned = parse_choice(problem_.operation, "clairvoyant(" + std::to_string(segments) +
                                                          "," + std::to_string(round) + ")");
    planned.arrivals = forecast.lateness;
    const double seconds = seconds_of(planned);
    if (seconds < result_.seconds_after_last) {
      result_.seconds_after_last = seconds;
      result_.choice = std::move(planned);
    }
    return result_;
  }

 private:
  const Problem& checked(const Problem& problem) const {
    if (problem.operation != Operation::reduce && problem.operation != Operation::allreduce)
      throw std::invalid_argument("arrivals are planned for in reduce and allreduce");
    (void)choices(problem, machine_);
    return problem;
  }

  Problem problem_;
  Machine machine_;
  PairCosts costs_;
  Choice balanced_;
  ArrivalChoice result_;
};

ArrivalPlanner::ArrivalPlanner(Problem problem, Machine machine)
    : portfolio_(std::make_unique<Portfolio>(problem, std::move(machine))) {}
ArrivalPlanner::~ArrivalPlanner() = default;
ArrivalPlanner::ArrivalPlanner(ArrivalPlanner&&) noexcept = default;
ArrivalPlanner& ArrivalPlanner::operator=(ArrivalPlanner&&) noexcept = default;

const ArrivalChoice& ArrivalPlanner::choose(const ArrivalForecast& forecast) {
  return portfolio_->choose(forecast);
}

}  // namespace cartwright::plan
