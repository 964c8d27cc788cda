// SPDX-License-Identifier: Apache-2.0
// Plans for when ranks arrive: how long planning takes, and what the plans are worth in simulated
// runs beside five algorithms that know nothing of arrivals. Pure computing: no MPI, one core.
// layouts: 1x1
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/processor_time.hpp"
#include "common/serial_program.hpp"
#include "planner/comparison.hpp"
#include "planner/generators.hpp"

namespace plan = cartwright::plan;
namespace bench = cartwright::bench;

namespace {

using Json = nlohmann::ordered_json;

/// Processor time of a call, in µs: the median of several turns, and the least.
struct Cost {
  double median = 0.0, least = 0.0;
};

Cost cost_of(const std::function<void()>& work, int repeats, int turns) {
  std::vector<double> times;
  for (int turn = 0; turn < turns; ++turn) {
    const double begin = bench::processor_seconds();
    for (int i = 0; i < repeats; ++i) work();
    times.push_back((bench::processor_seconds() - begin) * 1e6 / repeats);
  }
  std::ranges::sort(times);
  return {times[times.size() / 2], times.front()};
}

void add_cost(Json& json, const std::string& name, double limit, const Cost& cost) {
  fmt::print("{:<58} {:>10.2f} {:>10.2f} {:>9.0f}\n", name, cost.median, cost.least, limit);
  std::fflush(stdout);
  json.push_back({{"name", name},
                  {"unit", "us"},
                  {"ours", cost.median},
                  {"least", cost.least},
                  {"limit", limit}});
}

using Times = std::vector<plan::Nanoseconds>;

void time_plans(Json& json, bool quick) {
  bench::Draws draws(1);
  std::size_t used = 0;
  for (const auto& [ranks, segments, limit] :
       {std::tuple{128, 16, 30.0}, std::tuple{1024, 16, 0.0}, std::tuple{4096, 64, 20'000.0}}) {
    if (quick && ranks == 1024) continue;
    const plan::Nanoseconds round = 190'000;
    const bench::Generator* const uniform = bench::generator_named("uniform");
    const bench::Generator* const late = bench::generator_named("one late");
    const plan::Nanoseconds unit = round * (segments + 11);
    const Times together(static_cast<std::size_t>(ranks), 0);
    const Times one_late = late->draw(draws, ranks, unit);
    const Times spread = uniform->draw(draws, ranks, unit);
    for (const auto& [what, rule, arrivals] :
         {std::tuple{"together", plan::PlanRule::grouped, &together},
          std::tuple{"one late", plan::PlanRule::strict, &one_late},
          std::tuple{"uniform", plan::PlanRule::strict, &spread},
          std::tuple{"uniform", plan::PlanRule::backward, &spread}}) {
      const plan::ArrivalTask task{
          .ranks = ranks, .segments = segments, .round = round, .arrivals = *arrivals};
      add_cost(json,
               fmt::format("plan, {} ranks, {} segments, {}, {}", ranks, segments, what,
                           plan::name_of(rule)),
               limit,
               cost_of([&] { used += plan::clairvoyant_plan(task, rule).transfers.size(); },
                       ranks > 1000 ? 1 : 40, 15));
    }
  }
  if (used == 0) throw std::logic_error("no plans");
}

void time_portfolio(Json& json) {
  const bench::Cluster cluster(176 * 1024);  // in about 16 segments
  bench::Draws draws(2);
  double used = 0.0;
  for (const bench::Generator& generator : bench::generators())
    for (const double off : {0.0, 1.0}) {
      plan::ArrivalPlanner planner(cluster.problem(), cluster.machine());
      // Each time another one, so that nothing is kept.
      std::vector<plan::ArrivalForecast> forecasts;
      for (int i = 0; i < 60; ++i)
        forecasts.push_back(cluster.forecast(
            generator.draw(draws, cluster.ranks(), cluster.together()), off, draws));
      std::size_t next = 0;
      const auto choose = [&] {
        used += planner.choose(forecasts[next++ % forecasts.size()]).seconds_after_last;
      };
      add_cost(json, fmt::format("portfolio, {}, off by {} rounds", generator.name, off), 200.0,
               cost_of(choose, 4, 15));
    }
  plan::ArrivalPlanner planner(cluster.problem(), cluster.machine());
  const plan::ArrivalForecast forecast = cluster.forecast(
      bench::generator_named("uniform")->draw(draws, cluster.ranks(), cluster.together()), 1.0,
      draws);
  add_cost(json, "a forecast that keeps its signature", 1.0,
           cost_of([&] { used += planner.choose(forecast).seconds_after_last; }, 2000, 15));
  plan::ArrivalForecast one_late =
      cluster.forecast(Times(static_cast<std::size_t>(cluster.ranks()), 0), 0.0, draws);
  one_late.lateness.back() = 20 * cluster.together();
  const auto later = [&] {
    one_late.lateness.back() += cluster.together() / 3;
    used += planner.choose(one_late).seconds_after_last;
  };
  add_cost(json, "a rank that gets later and later", 1.0, cost_of(later, 2000, 15));
  add_cost(json, "a new kind of call", 0.0,
           cost_of(
               [&] {
                 used += plan::ArrivalPlanner(cluster.problem(), cluster.machine())
                             .choose(forecast)
                             .seconds_after_last;
               },
               1, 5));
  if (used == 0.0) throw std::logic_error("no choices");
}

void compare(Json& json, bool quick) {
  fmt::print("\n{:<10} {:<14} {:>9} {:>9} {:>9} {:>9}   {}\n", "bytes", "arrivals", "ours, us",
             "to best", "after it", "redirect", "best of the others, and what was chosen");
  for (const plan::Count kibibytes : {128, 512, 2048, 4096, 40960}) {
    const bench::Cluster cluster(kibibytes * 1024);
    const bench::Comparison comparison(cluster);
    for (const bench::Generator& generator : bench::generators()) {
      const bench::Compared found = comparison.run(generator, quick ? 3 : 15);
      fmt::print("{:<10} {:<14} {:>9.0f} {:>9.3f} {:>9.3f} {:>9.2f}   {}; {}\n",
                 fmt::format("{} KiB", kibibytes), generator.name, 1e-3 * found.ours,
                 found.worst_to_best, found.after_last, found.redirected, found.best_name,
                 found.chosen);
      std::fflush(stdout);
      json.push_back({{"name", fmt::format("{} KiB, {}", kibibytes, generator.name)},
                      {"unit", "ns"},
                      {"ours", found.ours},
                      {"peer", found.best},
                      {"ratio", found.to_best},
                      {"worst_ratio", found.worst_to_best},
                      {"after_last_ratio", found.after_last},
                      {"ratios_of_peers", found.others},
                      {"ratio_of_redirect", found.redirected},
                      {"peers", comparison.names()}});
    }
  }
}

void compare_when_off(Json& json, bool quick) {
  fmt::print("\n{:<10} {:<14} {:>9} {:>12} {:>12}\n", "bytes", "arrivals", "off, d", "to balanced",
             "forecast's");
  for (const plan::Count kibibytes : {512, 4096}) {
    const bench::Cluster cluster(kibibytes * 1024);
    const bench::Comparison comparison(cluster);
    for (const bench::Generator& generator : bench::generators())
      for (const double off : {0.0, 0.3, 1.0, 3.0, 10.0}) {
        const bench::WhenOff found = comparison.run_off(generator, off, quick ? 5 : 60);
        fmt::print("{:<10} {:<14} {:>9} {:>12.3f} {:>12.3f}\n", fmt::format("{} KiB", kibibytes),
                   generator.name, off, found.portfolio, found.plan_for_forecast);
        std::fflush(stdout);
        json.push_back(
            {{"name", fmt::format("{} KiB, {}, off by {} rounds", kibibytes, generator.name, off)},
             {"unit", "to the balanced plan"},
             {"ratio", found.portfolio},
             {"plan_for_the_forecast", found.plan_for_forecast}});
      }
  }
}

}  // namespace

int main(int argc, char** argv) {
  return cartwright::bench::run_serial_benchmark(
      argc, argv, "planner", "fewer draws of arrivals", [](bool quick) {
        Json cases = Json::array();
        fmt::print("{:<58} {:>10} {:>10} {:>9}\n", "processor time", "median, us", "least, us",
                   "limit");
        time_plans(cases, quick);
        time_portfolio(cases);
        compare(cases, quick);
        compare_when_off(cases, quick);
        return cases;
      });
}
