// SPDX-License-Identifier: Apache-2.0
#include <cartwright/plan/arrivals/arrival_planner.hpp>

#include <array>
#include <stdexcept>
#include <string>
#include <utility>

#include "forecast_grid.hpp"
#include "portfolio.hpp"

namespace cartwright::plan {

namespace {

const Problem& checked(const Problem& problem, const Machine& machine) {
  if (problem.operation != Operation::reduce && problem.operation != Operation::allreduce)
    throw std::invalid_argument("arrivals are planned for in reduce and allreduce, not in " +
                                std::string(name_of(problem.operation)));
  if (machine.levels.empty()) throw std::invalid_argument("a machine needs at least one level");
  if (problem.ranks < 1 || problem.elements < 0 || problem.root.rank < 0 ||
      problem.root.rank >= problem.ranks)
    throw std::invalid_argument("a problem needs ranks, a root among them, and no negative size");
  return problem;
}

}  // namespace

/// The portfolio, and what it found for the last few forecasts.
class ArrivalPlanner::Memory {
 public:
  Memory(const Problem& problem, const Machine& machine)
      : portfolio_(checked(problem, machine), machine),
        grid_(portfolio_.round(), portfolio_.ready()) {}

  const ArrivalChoice& choose(const ArrivalForecast& forecast) {
    require_all_ranks(forecast);
    grid_.round_off(forecast, asked_);
    for (Entry& entry : entries_)
      if (entry.signature == asked_) {
        entry.last_use = ++uses_;
        return entry.choice;
      }
    Entry* oldest = entries_.data();
    for (Entry& entry : entries_)
      if (entry.last_use < oldest->last_use) oldest = &entry;
    oldest->choice = portfolio_.choose(grid_.lateness(asked_), grid_.deviation(asked_));
    oldest->signature = asked_;
    oldest->last_use = ++uses_;
    return oldest->choice;
  }

  [[nodiscard]] std::vector<Nanoseconds> rounded(const ArrivalForecast& forecast) const {
    require_all_ranks(forecast);
    arrivals::Signature signature;
    grid_.round_off(forecast, signature);
    return grid_.lateness(signature);
  }

 private:
  void require_all_ranks(const ArrivalForecast& forecast) const {
    const auto ranks = static_cast<std::size_t>(portfolio_.problem().ranks);
    if (forecast.lateness.size() == ranks &&
        (forecast.deviation.empty() || forecast.deviation.size() == ranks))
      return;
    throw std::invalid_argument("there are " + std::to_string(ranks) +
                                " ranks, and a forecast for " +
                                std::to_string(forecast.lateness.size()));
  }

  struct Entry {
    arrivals::Signature signature;
    ArrivalChoice choice;
    std::uint64_t last_use = 0;
  };

  arrivals::Portfolio portfolio_;
  arrivals::ForecastGrid grid_;
  arrivals::Signature asked_;
  std::array<Entry, 8> entries_;
  std::uint64_t uses_ = 0;
};

ArrivalPlanner::ArrivalPlanner(const Problem& problem, const Machine& machine)
    : memory_(std::make_unique<Memory>(problem, machine)) {}
ArrivalPlanner::~ArrivalPlanner() = default;
ArrivalPlanner::ArrivalPlanner(ArrivalPlanner&&) noexcept = default;
ArrivalPlanner& ArrivalPlanner::operator=(ArrivalPlanner&&) noexcept = default;

const ArrivalChoice& ArrivalPlanner::choose(const ArrivalForecast& forecast) {
  return memory_->choose(forecast);
}

std::vector<std::int64_t> ArrivalPlanner::rounded(const ArrivalForecast& forecast) const {
  return memory_->rounded(forecast);
}

}  // namespace cartwright::plan
