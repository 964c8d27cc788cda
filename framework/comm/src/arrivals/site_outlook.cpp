// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/comm/arrivals/site_outlook.hpp>
#include <cartwright/plan/arrivals/forecast.hpp>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <vector>

namespace cartwright::comm {

namespace {

using Report = SiteReport;
using Times = std::array<std::int64_t, Report::calls>;

/// Nothing is later than that: clocks may say anything.
constexpr std::int64_t most = 10'000'000'000;

std::int64_t clamped(std::int64_t time) {
  return std::clamp<std::int64_t>(time, 0, most);
}

std::int64_t behind(std::int64_t later, std::int64_t earlier) {
  std::int64_t difference = 0;
  if (__builtin_sub_overflow(later, earlier, &difference)) return later > earlier ? most : 0;
  return clamped(difference);
}

std::int64_t median_of(Times times) {
  std::ranges::sort(times);
  return times[times.size() / 2];
}

/// Of one call, over the ranks.
std::int64_t first_of(std::span<const Report> ranks, std::size_t call,
                      std::int64_t Report::Call::*which) {
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  for (const Report& rank : ranks) first = std::min(first, rank.last[call].*which);
  return first;
}
std::int64_t last_of(std::span<const Report> ranks, std::size_t call,
                     std::int64_t Report::Call::*which) {
  std::int64_t last = std::numeric_limits<std::int64_t>::min();
  for (const Report& rank : ranks) last = std::max(last, rank.last[call].*which);
  return last;
}

void expect_next(SiteOutlook& outlook, std::span<const Report> ranks) {
  Times firsts{};
  for (std::size_t call = 0; call < firsts.size(); ++call)
    firsts[call] = first_of(ranks, call, &Report::Call::begin);
  for (const Report& rank : ranks) {
    Times begins{};
    for (std::size_t call = 0; call < begins.size(); ++call)
      begins[call] = behind(rank.last[call].begin, firsts[call]);
    const std::int64_t begin = median_of(begins);
    double spread = 0;
    for (const std::int64_t other : begins)
      spread += std::abs(static_cast<double>(other - begin)) / static_cast<double>(begins.size());
    outlook.next.lateness.push_back(begin + clamped(rank.busy));
    const double doubt = std::hypot(static_cast<double>(clamped(rank.deviation)), spread,
                                    static_cast<double>(clamped(rank.clock_error)));
    outlook.next.deviation.push_back(clamped(std::llround(doubt)));
  }
  const std::int64_t first = *std::ranges::min_element(outlook.next.lateness);
  for (std::int64_t& late : outlook.next.lateness) late = clamped(late - first);
}

void measure_last(SiteOutlook& outlook, std::span<const Report> ranks,
                  const plan::ArrivalForecast* former) {
  Times imbalances{}, rests{}, errors{};
  for (std::size_t call = 0; call < imbalances.size(); ++call) {
    const std::int64_t first = first_of(ranks, call, &Report::Call::arrival);
    const std::int64_t last = last_of(ranks, call, &Report::Call::arrival);
    imbalances[call] = behind(last, first);
    rests[call] = behind(last_of(ranks, call, &Report::Call::exit), last);
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
      const Report::Call& times = ranks[rank].last[call];
      outlook.is_complete = outlook.is_complete && times.exit != times.arrival;
      if (former != nullptr)
        errors[call] += std::abs(behind(times.arrival, first) - former->lateness[rank]) /
                        static_cast<std::int64_t>(ranks.size());
    }
  }
  outlook.imbalance = median_of(imbalances);
  outlook.after_last = median_of(rests);
  outlook.doubt = behind(*std::ranges::max_element(rests), *std::ranges::min_element(rests)) / 2;
  if (former != nullptr) outlook.error = median_of(errors);
}

}  // namespace

SiteReport SiteReport::of(const History& history, const SynchronisedClock& clock) {
  const plan::Forecast next = plan::forecast(history.busy());
  SiteReport report{.busy = next.value, .deviation = next.deviation};
  for (std::size_t call = 0; call < calls; ++call) {
    const History::Times& times = history.back(call);
    const std::int64_t arrival = clock.shared(times.arrival);
    report.last[call] = {arrival - times.busy, arrival,
                         arrival + std::max<std::int64_t>(times.duration, 0)};
  }
  report.clock_error = clock.error(history.back().arrival);
  return report;
}

SiteOutlook SiteOutlook::of(std::span<const SiteReport> ranks,
                            const plan::ArrivalForecast* former) {
  SiteOutlook outlook;
  expect_next(outlook, ranks);
  measure_last(outlook, ranks, former);
  for (const SiteReport& rank : ranks) {
    outlook.period = std::max(outlook.period, clamped(rank.period));
    outlook.plans_agree = outlook.plans_agree && rank.plan == ranks.front().plan;
  }
  return outlook;
}

}  // namespace cartwright::comm
