// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/rt/duration.hpp>
#include <cartwright/rt/rank_text.hpp>
#include <cartwright/rt/silence.hpp>
#include <utility>

namespace cartwright::rt {
namespace {

constexpr const char* advice =
    "Restart from the last checkpoint with --restart. A longer stop.silence survives longer "
    "pauses; stop.silence: off waits for ever, for debuggers.";

std::string text_of(double seconds) {
  return format_duration(Seconds(seconds));
}

/// Of a rank whose watcher hasn't run for long.
std::string state_text(ProcessState state) {
  switch (state) {
    case ProcessState::gone:
      return "is gone";
    case ProcessState::stopped:
      return "is stopped (by a signal such as SIGSTOP)";
    case ProcessState::traced:
      return "is held by a debugger";
    case ProcessState::runs:
      break;
  }
  return "shows no sign of life";
}

std::string activity_text(const RankSight& rank, const SilenceLimits& limits) {
  if (rank.activity.has_left) return "has ended its run";
  const bool is_doubtful = limits.silence && rank.silent > *limits.silence / 2;
  if (is_doubtful || rank.state != ProcessState::runs) return state_text(rank.state);
  switch (rank.activity.kind) {
    case WaitKind::ranks:
      return "in " + rank.activity.where;
    case WaitKind::files:
      return (rank.activity.only_waits ? "waits for others, in " : "reads or writes files, in ") +
             rank.activity.where;
    case WaitKind::library:
      return "computes, in " + rank.activity.where;
    case WaitKind::none:
      break;
  }
  return "computes";
}

/// What all ranks do that are known of.
std::string table_of(const Sight& sight, const SilenceLimits& limits) {
  std::string table = activities_of(sight.ranks, limits);
  for (const NodeSight& node : sight.nodes) {
    if (limits.silence && node.silent > *limits.silence / 2) continue;
    table += node.activities;
  }
  return table;
}

Error ends(const std::string& what, const Sight& sight, const SilenceLimits& limits) {
  return internal_failure(what + ". What the ranks do:" + table_of(sight, limits), advice);
}

std::optional<Error> lost_rank(const Sight& sight, const SilenceLimits& limits) {
  for (const RankSight& rank : sight.ranks) {
    if (rank.activity.has_left || rank.silent <= *limits.silence) continue;
    return ends(fmt::format("rank {} (process {} on node {}) {}, for longer than {} (stop.silence)",
                            rank.rank, rank.process, sight.node, state_text(rank.state),
                            text_of(*limits.silence)),
                sight, limits);
  }
  return std::nullopt;
}

std::optional<Error> lost_node(const Sight& sight, const SilenceLimits& limits) {
  for (const NodeSight& node : sight.nodes) {
    if (!node.is_known || node.has_left || node.silent <= *limits.silence + limits.margin) continue;
    return ends(fmt::format("node {} ({}) has been unreachable for longer than {} (stop.silence): "
                            "its network is cut, or it is down",
                            node.name, ranks_text(node.ranks), text_of(*limits.silence)),
                sight, limits);
  }
  return std::nullopt;
}

std::optional<Error> all_waiting(const Sight& sight, const SilenceLimits& limits) {
  const double limit = *limits.silence;
  const auto waits = [&](const NodeSight& node) { return node.has_left || node.waits > limit; };
  if (!sight.sees_all || common_wait(sight.ranks) <= limit) return std::nullopt;
  if (!std::ranges::all_of(sight.nodes, waits)) return std::nullopt;
  return ends(fmt::format("all ranks have been waiting for longer than {} (stop.silence), and "
                          "nobody is left who could come",
                          text_of(limit)),
              sight, limits);
}

std::optional<Error> waited_too_long(const Sight& sight, const SilenceLimits& limits) {
  for (const RankSight& rank : sight.ranks) {
    const Activity& activity = rank.activity;
    if (activity.kind != WaitKind::ranks || activity.seconds <= *limits.wait + limits.grace)
      continue;
    return ends(fmt::format("rank {} has waited in {} for longer than {} (comm.time_limit)",
                            rank.rank, activity.where, text_of(*limits.wait)),
                sight, limits);
  }
  return std::nullopt;
}

}  // namespace

std::optional<Error> judge(const Sight& sight, const SilenceLimits& limits) {
  std::optional<Error> found;
  if (limits.silence) {
    found = lost_rank(sight, limits);
    if (!found) found = lost_node(sight, limits);
    if (!found) found = all_waiting(sight, limits);
  }
  if (!found && limits.wait) found = waited_too_long(sight, limits);
  return found;
}

std::string activities_of(const std::vector<RankSight>& ranks, const SilenceLimits& limits) {
  std::vector<std::pair<std::string, std::vector<int>>> groups;
  for (const RankSight& rank : ranks) {
    std::string text = activity_text(rank, limits);
    const auto known = std::ranges::find(groups, text, &decltype(groups)::value_type::first);
    if (known == groups.end())
      groups.emplace_back(std::move(text), std::vector{rank.rank});
    else
      known->second.push_back(rank.rank);
  }
  std::string table;
  for (const auto& [text, who] : groups) table += fmt::format("\n  {}: {}", ranks_text(who), text);
  return table;
}

double common_wait(const std::vector<RankSight>& ranks) {
  std::optional<double> shortest;
  for (const RankSight& rank : ranks) {
    if (rank.activity.has_left) continue;
    shortest = std::min(shortest.value_or(rank.activity.seconds),
                        rank.activity.waits() ? rank.activity.seconds : 0.0);
  }
  return shortest.value_or(0.0);
}

}  // namespace cartwright::rt
