// SPDX-License-Identifier: Apache-2.0
#include "tasks.hpp"

#include <algorithm>
#include <array>
#include <cartwright/plan/algorithms/tree.hpp>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

namespace cartwright::plan {

namespace {

constexpr std::array<std::pair<PlanRule, std::string_view>, 6> rule_names{
    {{PlanRule::grouped, "grouped"},
     {PlanRule::strict, "strict"},
     {PlanRule::backward, "backward"},
     {PlanRule::ordered, "ordered"},
     {PlanRule::near, "near"},
     {PlanRule::redirect, "redirect"}}};

constexpr Nanoseconds latest = std::int64_t{1} << 60;  // sums with it don't overflow
constexpr Nanoseconds no_limit = std::numeric_limits<Nanoseconds>::max();

void require_task(const ArrivalTask& task) {
  if (task.ranks < 1) throw std::invalid_argument("a reduction needs ranks");
  require_root({.ranks = task.ranks}, {task.root});
  if (task.segments < 1)
    throw std::invalid_argument("a reduction in " + std::to_string(task.segments) + " segments");
  if (task.round < 1) throw std::invalid_argument("a round takes some time: 1 ns at least");
  if (task.round > latest / (task.ranks + task.segments))
    throw std::invalid_argument("a round of " + std::to_string(task.round) + " ns is too long");
  if (!task.nodes.empty() && task.nodes.size() != static_cast<std::size_t>(task.ranks))
    throw std::invalid_argument("there are " + std::to_string(task.ranks) +
                                " ranks, and nodes for " + std::to_string(task.nodes.size()));
  if (task.arrivals.empty()) return;
  if (task.arrivals.size() != static_cast<std::size_t>(task.ranks))
    throw std::invalid_argument("there are " + std::to_string(task.ranks) + " ranks, and " +
                                std::to_string(task.arrivals.size()) + " arrivals");
  for (const Nanoseconds time : task.arrivals)
    if (time < 0 || time > latest)
      throw std::invalid_argument(
          "an arrival counts from the first one, in ns: " + std::to_string(time) + " is none");
}

}  // namespace

std::string_view name_of(PlanRule rule) {
  return rule_names[static_cast<std::size_t>(rule)].second;
}

std::optional<PlanRule> plan_rule_named(std::string_view name) {
  for (const auto& [rule, text] : rule_names)
    if (text == name) return rule;
  return std::nullopt;
}

TransferPlan clairvoyant_plan(const ArrivalTask& task, PlanRule rule) {
  require_task(task);
  if (rule == PlanRule::ordered) return clairvoyant::ordered_plan(task);
  if (rule == PlanRule::redirect) return clairvoyant::redirected_plan(task);
  const bool is_near = rule == PlanRule::near && !task.nodes.empty();
  if (task.segments == 1 && is_near) return clairvoyant::near_plan(task);
  if (task.segments == 1) return clairvoyant::atomic_plan(task);
  if (rule == PlanRule::backward) return *clairvoyant::backward_plan(task, no_limit);
  if (!is_near && !task.nodes.empty()) {
    ArrivalTask flat = task;
    flat.nodes = {};
    return clairvoyant::forward_plan(flat, rule != PlanRule::grouped);
  }
  return clairvoyant::forward_plan(task, rule != PlanRule::grouped);
}

std::optional<TransferPlan> clairvoyant_plan_until(const ArrivalTask& task, PlanRule rule,
                                                   Nanoseconds latest) {
  require_task(task);
  if (rule == PlanRule::backward && task.segments > 1)
    return clairvoyant::backward_plan(task, latest);
  if (earliest_end(task) > latest) return std::nullopt;
  return clairvoyant_plan(task, rule);
}

Nanoseconds earliest_merge(const ArrivalTask& task) {
  require_task(task);
  return clairvoyant::earliest_merge(clairvoyant::sorted_arrivals(task), task.round);
}

Nanoseconds earliest_end(const ArrivalTask& task) {
  const Nanoseconds first_segment = earliest_merge(task);
  return task.ranks == 1 ? first_segment : first_segment + (task.segments - 1) * task.round;
}

namespace clairvoyant {

std::vector<Arrival> sorted_arrivals(const ArrivalTask& task) {
  std::vector<Arrival> sorted(static_cast<std::size_t>(task.ranks));
  for (std::size_t rank = 0; rank < sorted.size(); ++rank)
    sorted[rank] = {task.arrivals.empty() ? 0 : task.arrivals[rank], static_cast<int>(rank)};
  if (!task.arrivals.empty()) std::ranges::sort(sorted);
  return sorted;
}

// Parts that combine appear in the order of their times: two queues do.
Nanoseconds earliest_merge(std::span<const Arrival> sorted, Nanoseconds round) {
  std::vector<Nanoseconds> parts;
  parts.reserve(sorted.size());
  std::size_t next = 0, next_part = 0;
  const auto take = [&] {
    const bool from_parts =
        next == sorted.size() || (next_part < parts.size() && parts[next_part] < sorted[next].time);
    return from_parts ? parts[next_part++] : sorted[next++].time;
  };
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    (void)take();
    parts.push_back(take() + round);
  }
  return parts.empty() ? sorted.front().time : parts.back();
}

}  // namespace clairvoyant

}  // namespace cartwright::plan
