// SPDX-License-Identifier: Apache-2.0
#include "contest.hpp"

#include <fmt/format.h>

#include <chrono>
#include <thread>
#include <utility>

namespace cartwright::bench {
namespace {

void add_cases(const Contest& contest, const std::string& name, nlohmann::ordered_json parameters,
               const std::vector<Race::Samples>& samples, const Setting& setting,
               Results& results) {
  const std::vector<std::string> others{"ours that wait", contest.peer};
  for (std::size_t i = 0; i < others.size(); ++i) {
    parameters["against"] = others[i];
    parameters["layout"] = setting.layout;
    results.add(Case::of_times(fmt::format("{}, against {}, {}", name, others[i], setting.layout),
                               parameters, samples[0], samples[i + 1]));
  }
}

nlohmann::ordered_json parameters_of(const Contest& contest) {
  nlohmann::ordered_json parameters = contest.parameters;
  parameters["way"] = contest.way;
  return parameters;
}

}  // namespace

void race_contest(const Contest& contest, const Effort& effort, const Setting& setting,
                  Results& results) {
  const auto samples = race(setting.world, contest.contestants, effort);
  add_cases(contest, fmt::format("{}, {}", contest.what, contest.way), parameters_of(contest),
            samples, setting, results);
}

std::mt19937 Disturbance::random_of(int step) const {
  std::seed_seq place{round_, rank_, step};
  return std::mt19937(place);
}

void Disturbance::sleep(std::mt19937& random) const {
  const double seconds = mean_ * std::exponential_distribution(1.0)(random);
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

void race_disturbed(Contest contest, Disturbance& disturbance, const std::vector<double>& shares,
                    int steps, const Effort& effort, const Setting& setting, Results& results) {
  auto& last = contest.contestants.back();
  last = [run = std::move(last), &disturbance] {
    run();
    disturbance.next_round();
  };
  double step = 0;
  for (const double share : shares) {
    disturbance.sleep_for(share * step);
    const auto samples = race(setting.world, contest.contestants, effort);
    if (share == 0) step = summarize(samples[1]).median / steps;
    auto parameters = parameters_of(contest);
    parameters["noise_share_of_step"] = share;
    parameters["noise_mean"] = share * step;
    add_cases(contest,
              fmt::format("{}, {}, noise {:.0f} %", contest.what, contest.way, 100 * share),
              std::move(parameters), samples, setting, results);
  }
}

}  // namespace cartwright::bench
