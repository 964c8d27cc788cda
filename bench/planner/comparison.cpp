// SPDX-License-Identifier: Apache-2.0
#include "comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cartwright/plan/simulation/simulate.hpp>
#include <cmath>

namespace cartwright::bench {

namespace {

constexpr double alpha = 2.66e-6, beta = 4.8179e-10, gamma = 1.6654e-10;
constexpr int ranks_of_cluster = 128;
constexpr int doublings = 7;

}  // namespace

Cluster::Cluster(plan::Count bytes)
    : machine_(plan::flat_machine(plan::hockney(alpha, beta), 0.0, gamma)),
      problem_{.operation = plan::Operation::reduce,
               .ranks = ranks_of_cluster,
               .elements = bytes / 4,
               .element_size = 4} {
  const plan::PairCosts costs(problem_, machine_);
  for (int segments = 1; segments <= 1024; ++segments) {
    const plan::Nanoseconds round = costs.round((bytes + segments - 1) / segments);
    const plan::Nanoseconds time = (doublings + segments - 1) * round;
    if (segments > 1 && time >= together_) continue;
    together_ = time;
    round_ = round;
    segments_ = segments;
  }
}

plan::ArrivalForecast Cluster::forecast(const std::vector<plan::Nanoseconds>& arrivals, double off,
                                        Draws& draws) const {
  plan::ArrivalForecast forecast;
  const double deviation = off * static_cast<double>(round_);
  for (const plan::Nanoseconds time : arrivals) {
    forecast.lateness.push_back(
        std::llround(static_cast<double>(time) + deviation * draws.normal()));
    forecast.deviation.push_back(std::llround(deviation));
  }
  const plan::Nanoseconds first = *std::ranges::min_element(forecast.lateness);
  for (plan::Nanoseconds& time : forecast.lateness) time -= first;
  return forecast;
}

Comparison::Comparison(const Cluster& cluster)
    : cluster_(cluster), costs_(cluster.problem(), cluster.machine()) {
  const auto bytes = static_cast<double>(cluster.problem().bytes());
  const auto links = static_cast<int>(
      std::lround(std::sqrt((ranks_of_cluster - 2) * bytes * (beta + gamma) / alpha)));
  names_ = {"binomial", "butterfly", "ring", "radix(4,4,8)", fmt::format("pipeline({})", links)};
  for (const std::string& name : names_)
    others_.emplace_back(cluster.problem(), costs_,
                         plan::parse_choice(plan::Operation::reduce, name));
}

double Comparison::time_of(const plan::MessageRuns& runs,
                           const std::vector<plan::Nanoseconds>& arrivals) const {
  std::vector<plan::Samples> samples(arrivals.size());
  for (std::size_t rank = 0; rank < samples.size(); ++rank)
    samples[rank].of_run.fill(static_cast<double>(arrivals[rank]));
  return runs.finish_of_one(samples, plan::AfterSend::when_sent);
}

double Comparison::time_of(const plan::Choice& choice,
                           const std::vector<plan::Nanoseconds>& arrivals) const {
  return time_of(plan::MessageRuns(cluster_.problem(), costs_, choice), arrivals);
}

double Comparison::time_redirected(const std::vector<plan::Nanoseconds>& arrivals) const {
  const plan::Count bytes = cluster_.problem().bytes();
  const plan::ArrivalTask task{
      .ranks = cluster_.ranks(), .round = costs_.round(bytes), .arrivals = arrivals};
  return time_of(
      plan::MessageRuns(plan::clairvoyant_plan(task, plan::PlanRule::redirect), costs_, bytes),
      arrivals);
}

Compared Comparison::run(const Generator& generator, int draws) const {
  Draws random(3);
  plan::ArrivalPlanner planner(cluster_.problem(), cluster_.machine());
  Compared found;
  found.others.assign(names_.size(), 0.0);
  double after_ours = 0.0, after_best = 0.0;
  for (int draw = 0; draw < draws; ++draw) {
    const auto arrivals = generator.draw(random, cluster_.ranks(), cluster_.together());
    const auto last = static_cast<double>(*std::ranges::max_element(arrivals));
    const plan::Choice& choice = planner.choose({arrivals, {}}).choice;
    const double ours = time_of(choice, arrivals);
    found.chosen = fmt::format("{}({})", choice.algorithm->name, choice.tuning);
    std::size_t best = 0;
    std::vector<double> times;
    for (const plan::MessageRuns& other : others_) times.push_back(time_of(other, arrivals));
    for (std::size_t i = 0; i < times.size(); ++i) {
      found.others[i] += times[i] / ours / draws;
      if (times[i] < times[best]) best = i;
    }
    found.redirected += time_redirected(arrivals) / ours / draws;
    found.best_name = names_[best];
    found.ours += ours / draws;
    found.best += times[best] / draws;
    found.worst_to_best = std::max(found.worst_to_best, ours / times[best]);
    after_ours += ours - last;
    after_best += times[best] - last;
  }
  found.to_best = found.ours / found.best;
  found.after_last = after_ours / after_best;
  return found;
}

WhenOff Comparison::run_off(const Generator& generator, double off, int draws) const {
  Draws random(4);
  plan::ArrivalPlanner planner(cluster_.problem(), cluster_.machine());
  const plan::Count bytes =
      (cluster_.problem().elements + cluster_.segments() - 1) / cluster_.segments() * 4;
  plan::ArrivalTask task{.ranks = cluster_.ranks(), .segments = cluster_.segments()};
  task.round = cluster_.round();
  const plan::MessageRuns balanced(plan::clairvoyant_plan(task, plan::PlanRule::grouped), costs_,
                                   bytes);
  double ours = 0.0, forecast_alone = 0.0, of_balanced = 0.0;
  for (int draw = 0; draw < draws; ++draw) {
    const auto arrivals = generator.draw(random, cluster_.ranks(), cluster_.together());
    const plan::ArrivalForecast forecast = cluster_.forecast(arrivals, off, random);
    ours += time_of(planner.choose(forecast).choice, arrivals);
    of_balanced += time_of(balanced, arrivals);
    task.arrivals = forecast.lateness;
    forecast_alone += time_of(
        plan::MessageRuns(plan::clairvoyant_plan(task, plan::PlanRule::grouped), costs_, bytes),
        arrivals);
  }
  return {ours / of_balanced, forecast_alone / of_balanced};
}

}  // namespace cartwright::bench
