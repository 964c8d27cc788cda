// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/mapping/predict/scheduled_mapping.hpp>
#include <cartwright/plan/models/time_text.hpp>
#include <limits>
#include <tuple>
#include <utility>

namespace cartwright::mapping {

namespace {

std::string time_text(double seconds) {
  return plan::time_text(plan::picoseconds(seconds));
}

const char* limit_text(Limit limit) {
  switch (limit) {
    case Limit::rank:
      return "the messages of a single rank";
    case Limit::between_nodes:
      return "what leaves the busiest node";
    case Limit::inside_nodes:
      return "what moves inside the busiest node";
  }
  return "";
}

std::string pair_text(const ScheduledMapping& pair, const GridWorkload& workload) {
  if (workload.broadcasts <= 0.0) return pair.mapping.name;
  return pair.mapping.name + ", " + pair.broadcast.schedule.describe();
}

std::string explain(const ScheduledMapping& best, const ScheduledMapping& other,
                    const GridWorkload& workload) {
  const std::string limit = workload.broadcasts > 0.0
                                ? fmt::format(", limited by {}", limit_text(best.broadcast.limit))
                                : "";
  const double ratio = best.seconds > 0.0 ? other.seconds / best.seconds : 1.0;
  return fmt::format("{}: {}{}\ncompared with {}: {} ({:.2f} times as long{})",
                     pair_text(best, workload), time_text(best.seconds), limit,
                     pair_text(other, workload), time_text(other.seconds), ratio,
                     ratio < 1.0 ? ", but with more between nodes" : "");
}

}  // namespace

ScheduledMapping schedule(const MappingCandidate& mapping, const NodeChannels& channels,
                          const GridWorkload& workload) {
  ScheduledMapping result{.mapping = mapping, .broadcast = {}, .explanation = {}};
  if (workload.broadcasts > 0.0) {
    const auto all = axis_times(mapping.map, channels, workload.line_bytes);
    result.broadcast = all.front();
    for (const auto& one : all) {
      if (one.seconds < result.broadcast.seconds) result.broadcast = one;
    }
  }
  if (workload.halos > 0.0) {
    result.halo_seconds = halo_time(mapping.map, channels, workload.face_bytes);
  }
  result.seconds =
      workload.broadcasts * result.broadcast.seconds + workload.halos * result.halo_seconds;
  return result;
}

ScheduledMapping choose_mapping_and_schedule(std::span<const MappingCandidate> candidates,
                                             const NodeChannels& channels,
                                             const GridWorkload& workload) {
  std::vector<ScheduledMapping> all;
  double least_cost = std::numeric_limits<double>::max();
  for (const auto& candidate : candidates) least_cost = std::min(least_cost, candidate.cost);
  std::size_t quickest = 0;
  std::size_t usual = candidates.size();  // what is taken where times aren't known
  const auto order = [](const ScheduledMapping& one) {
    return std::tuple(one.mapping.busiest, one.mapping.cost, one.seconds);
  };
  for (const auto& candidate : candidates) {
    const std::size_t last = all.size();
    all.push_back(schedule(candidate, channels, workload));
    if (all[last].seconds < all[quickest].seconds) quickest = last;
    if (candidate.cost > most_more_faces * least_cost) continue;
    if (usual == candidates.size() || order(all[last]) < order(all[usual])) usual = last;
  }
  const bool is_clear = all[usual].seconds >= clear_gain * all[quickest].seconds;
  const std::size_t best = is_clear ? quickest : usual;
  // Told beside: the other one of these two, else what there was before.
  const std::size_t other = quickest == usual ? 0 : is_clear ? usual : quickest;
  all[best].explanation = explain(all[best], all[other], workload);
  return std::move(all[best]);
}

ScheduledMapping choose_mapping_and_schedule(const MappingRequest& request,
                                             const NodeChannels& channels,
                                             const GridWorkload& workload) {
  auto candidates = mapping_portfolio(request);
  candidates.push_back(choose_mapping(request));
  return choose_mapping_and_schedule(candidates, channels, workload);
}

}  // namespace cartwright::mapping
