// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/comm/arrival_report.hpp>
#include <cartwright/comm/calls/call_text.hpp>
#include <cartwright/plan/arrivals/forecast.hpp>
#include <cartwright/plan/models/time_text.hpp>
#include <cmath>
#include <map>
#include <numeric>
#include <span>

namespace cartwright::comm {

namespace {

using Sample = SampledCalls::Sample;

double seconds_of(double nanoseconds) {
  return 1e-9 * nanoseconds;
}

/// What is said about arrivals isn't watched itself.
Collectives unwatched(const Collectives& collectives) {
  return collectives.by(collectives.backends().chosen().id());
}

/// The numbers of sites with anything to tell, by the time that the slowest rank spent in them: so
/// many, and as many reductions again, which are what another order would help. The ranks have met
/// the same ones.
std::vector<std::size_t> costliest(const Collectives& comm, const ArrivalBackend& watched,
                                   std::size_t most) {
  const auto& sites = watched.sites().all();
  std::vector<double> cost(sites.size(), 0.0);
  for (const Site& site : sites) {
    double& total = cost[site.number];
    for (const Sample& sample : site.sampled.all())
      total += static_cast<double>(sample.exit - sample.arrival);
    total *= static_cast<double>(site.sampled.stride());
  }
  comm.allreduce(cost, Operator::maximum);
  std::vector<std::size_t> order(sites.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::erase_if(order, [&](std::size_t site) {
    return sites[site].history.calls() < 2 || SiteTable::is_mixed(sites[site]);
  });
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t site) { return cost[site]; });
  std::size_t seen = 0, reductions = 0;
  std::erase_if(order, [&](std::size_t site) {
    const bool is_first = seen++ < most;
    return !is_first &&
           (!plan::is_reduction(sites[site].key.call.operation) || ++reductions > most);
  });
  return order;
}

/// The calls of a site that all ranks have kept: [call][rank].
std::vector<std::vector<Sample>> common_calls(const Collectives& comm, const Site& site) {
  const auto ranks = static_cast<std::size_t>(comm.communicator().size());
  const auto stride = comm.allreduce(site.sampled.stride(), Operator::maximum);
  std::vector<std::int64_t> mine(3 * SampledCalls::most, -1), all(mine.size() * ranks);
  std::size_t next = 0;
  for (const Sample& sample : site.sampled.of_stride(stride)) {
    mine[next++] = static_cast<std::int64_t>(sample.number);
    mine[next++] = sample.arrival;
    mine[next++] = sample.exit;
  }
  comm.allgather(mine, all);
  std::map<std::int64_t, std::vector<Sample>> by_number;
  for (std::size_t i = 0; i < all.size(); i += 3)
    if (all[i] >= 0)
      by_number[all[i]].push_back({static_cast<std::uint64_t>(all[i]), all[i + 1], all[i + 2]});
  std::vector<std::vector<Sample>> common;
  for (auto& [number, samples] : by_number)
    if (samples.size() == ranks) common.push_back(std::move(samples));
  return common;
}

/// Of one call, in ns.
struct CallTimes {
  double imbalance = 0, after_last = 0;
  [[nodiscard]] double whole() const { return imbalance + after_last; }
  [[nodiscard]] bool is_balanced() const { return imbalance < 0.2 * whole(); }
};

CallTimes times_of(std::span<const Sample> ranks) {
  const auto [first, last] = std::ranges::minmax(ranks, {}, &Sample::arrival);
  const Sample& end = *std::ranges::max_element(ranks, {}, &Sample::exit);
  return {static_cast<double>(last.arrival - first.arrival),
          static_cast<double>(end.exit - last.arrival)};
}

void add_times(ArrivalSummary& summary, const std::vector<std::vector<Sample>>& calls) {
  const double share = 1.0 / static_cast<double>(std::max<std::size_t>(calls.size(), 1));
  for (const auto& ranks : calls) {
    const CallTimes times = times_of(ranks);
    summary.imbalance += share * seconds_of(times.imbalance);
    summary.after_last += share * seconds_of(times.after_last);
    if (times.is_balanced())
      summary.balanced =
          std::min(summary.balanced.value_or(seconds_of(times.whole())), seconds_of(times.whole()));
    const std::int64_t first = std::ranges::min(ranks, {}, &Sample::arrival).arrival;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank)
      summary.lateness[rank] +=
          share * seconds_of(static_cast<double>(ranks[rank].arrival - first));
  }
  summary.whole = summary.imbalance + summary.after_last;
  if (summary.balanced && summary.imbalance > 0)
    summary.absorbed = std::clamp((*summary.balanced - summary.after_last) / summary.imbalance,
                                  -1.0, 1.0);  // A = t(balanced) - t + I, and t - I is after_last
}

/// By rank: the mean of what was busy lately, and how far off a forecast was.
void add_busy(ArrivalSummary& summary, const Collectives& comm, const Site& site) {
  const std::vector<std::int64_t> series = site.history.busy();
  const double sum = std::accumulate(series.begin(), series.end(), 0.0);
  const std::vector<double> mine{
      seconds_of(sum / static_cast<double>(std::max<std::size_t>(series.size(), 1))),
      seconds_of(static_cast<double>(plan::forecast(series).deviation))};
  std::vector<double> all(2 * summary.busy.size());
  comm.allgather(mine, all);
  for (std::size_t rank = 0; rank < summary.busy.size(); ++rank) {
    summary.busy[rank] = all[2 * rank];
    summary.forecast_error += all[2 * rank + 1] / static_cast<double>(summary.busy.size());
  }
}

std::string text_of(double time) {
  return plan::time_text(plan::picoseconds(time));
}

}  // namespace

int ArrivalSummary::latest_rank() const {
  return static_cast<int>(std::ranges::max_element(lateness) - lateness.begin());
}

double ArrivalSummary::gain_of_moving_work() const {
  if (lateness.empty()) return 0;
  const double mean =
      std::accumulate(lateness.begin(), lateness.end(), 0.0) / static_cast<double>(lateness.size());
  return *std::ranges::max_element(lateness) - mean;
}

std::vector<ArrivalSummary> summarize_arrivals(const Collectives& collectives, std::size_t most) {
  const ArrivalBackend* const watched = collectives.arrivals();
  std::vector<ArrivalSummary> all;
  if (watched == nullptr) return all;
  const Collectives comm = unwatched(collectives);
  const auto ranks = static_cast<std::size_t>(comm.communicator().size());
  for (const std::size_t number : costliest(comm, *watched, most)) {
    const Site& site = watched->sites().all()[number];
    ArrivalSummary& summary = all.emplace_back(ArrivalSummary{
        .name = fmt::format("{}{}, {} B", plan::name_of(site.key.call.operation),
                            site.key.call.waiting == Waiting::later ? " (nonblocking)" : "",
                            site.bytes),
        .site = describe(site.last.site),
        .calls = site.history.calls(),
        .lateness = std::vector<double>(ranks, 0.0),
        .busy = std::vector<double>(ranks, 0.0)});
    add_times(summary, common_calls(comm, site));
    add_busy(summary, comm, site);
    if (const SitePlan* const plan = watched->agreement().plan_of(site)) {
      summary.forecast_error = plan->mean_error();
      summary.gained = plan->gain();
    }
  }
  return all;
}

void report_arrivals(rt::Report& report, const Collectives& collectives) {
  const std::vector<ArrivalSummary> all = summarize_arrivals(collectives);
  if (all.empty()) return;
  auto& section = report.section("arrivals");
  std::map<std::string, int> lines;  // of the source: one may stand for several places in a loop
  for (const ArrivalSummary& one : all) {
    const std::string absorbed =
        one.absorbed ? fmt::format("{:.0f} % absorbed", 100 * *one.absorbed)
                     : std::string("never balanced, so that nothing is known of absorption");
    const std::string gained =
        one.gained ? fmt::format("; plans for arrivals save {} of it", text_of(*one.gained)) : "";
    std::string name = fmt::format("{} at {}", one.name, one.site);
    if (const int times = ++lines[name]; times > 1) name += fmt::format(" ({})", times);
    section.add(
        name,
        fmt::format("{} calls; the last rank comes {} behind the first (rank {} the latest), and "
                    "all leave {} later{}; {}; forecasts are off by {}; moving work would gain {}, "
                    "another order of messages {} at most",
                    one.calls, text_of(one.imbalance), one.latest_rank(), text_of(one.after_last),
                    gained, absorbed, text_of(one.forecast_error),
                    text_of(one.gain_of_moving_work()), text_of(one.after_last)));
  }
}

}  // namespace cartwright::comm
