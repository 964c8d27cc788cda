// SPDX-License-Identifier: Apache-2.0
#include "clairvoyant.hpp"

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string_view>

namespace cartwright::plan::catalogue {

namespace {

struct ClairvoyantTuning {
  int segments = 1;
  Nanoseconds round = 0;  // not said
  PlanRule rule = PlanRule::grouped;
};

std::invalid_argument no_tuning(const std::string& tuning) {
  return std::invalid_argument("'" + tuning +
                               "' should be a number of segments, for arrivals with the ns of a "
                               "round behind it: 16,3600");
}

template <class Number>
Number take_positive(std::string_view& text, const std::string& tuning) {
  Number number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < 1) throw no_tuning(tuning);
  text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
  if (!text.empty()) {
    if (text.front() != ',' || text.size() == 1) throw no_tuning(tuning);
    text.remove_prefix(1);
  }
  return number;
}

ClairvoyantTuning read_tuning(const std::string& tuning) {
  std::string_view text = tuning;
  ClairvoyantTuning read;
  read.segments = take_positive<int>(text, tuning);
  if (!text.empty()) read.round = take_positive<Nanoseconds>(text, tuning);
  if (text.empty()) return read;
  const auto rule = plan_rule_named(text);
  if (!rule) throw std::invalid_argument("there is no rule '" + std::string(text) + "' for plans");
  read.rule = *rule;
  return read;
}

/// By rank; nothing where they aren't known.
std::vector<int> nodes_of(const Problem& problem) {
  std::vector<int> nodes;
  for (int rank = 0; rank < problem.ranks && problem.nodes != nullptr; ++rank)
    nodes.push_back(problem.nodes->member_at(0, problem.nodes->place_of(rank)));
  return nodes;
}

Maker planned_maker(const Problem& problem, const std::string& tuning,
                    std::span<const std::int64_t> arrivals, std::optional<PlanRule> rule) {
  const ClairvoyantTuning read = read_tuning(tuning);
  if (!arrivals.empty() && read.round == 0)
    throw std::invalid_argument("with arrivals, what a round takes has to be said: (" + tuning +
                                ",…), in ns");
  const std::vector<int> nodes =
      read.rule == PlanRule::near ? nodes_of(problem) : std::vector<int>{};
  const ArrivalTask task{.ranks = problem.ranks,
                         .root = problem.root.rank,
                         .segments = read.segments,
                         .round = read.round == 0 ? 1 : read.round,
                         .arrivals = arrivals,
                         .nodes = nodes};
  const auto plan =
      std::make_shared<const SharedPlan>(clairvoyant_plan(task, rule.value_or(read.rule)));
  return [plan](Team team) { return reduce::planned(team, *plan); };
}

}  // namespace

Tunings clairvoyant_tunings(const Problem& problem, const Machine& machine) {
  int best = 1;
  Picoseconds least = 0;
  for (const std::string& tuning : segment_tunings(problem, machine)) {
    const int segments = positive_number(tuning);
    if (segments > affordable_segments(problem.ranks)) break;  // they ascend
    const Picoseconds time = time_of(machine, problem.ranks, clairvoyant_rounds(problem, tuning));
    if (least == 0 || time < least) {
      least = time;
      best = segments;
    }
  }
  return {std::to_string(best)};
}

Maker clairvoyant_together(const Problem& problem, const std::string& tuning) {
  return planned_maker(problem, tuning, {}, std::nullopt);
}
Maker clairvoyant_for(const Problem& problem, const std::string& tuning,
                      std::span<const std::int64_t> arrivals) {
  return planned_maker(problem, tuning, arrivals, std::nullopt);
}
Maker clairvoyant_ordered_together(const Problem& problem, const std::string& tuning) {
  return planned_maker(problem, tuning, {}, PlanRule::ordered);
}
Maker clairvoyant_ordered_for(const Problem& problem, const std::string& tuning,
                              std::span<const std::int64_t> arrivals) {
  return planned_maker(problem, tuning, arrivals, PlanRule::ordered);
}

// A rank that has sent waits for what it receives in the round: nothing overlaps.
Rounds clairvoyant_rounds(const Problem& problem, const std::string& tuning) {
  const int segments = read_tuning(tuning).segments;
  if (problem.ranks == 1) return {};
  RoundShape round = ring_rounds(levels_of(problem.ranks, 2) + segments - 1,
                                 part_of(problem.bytes(), segments), true);
  round.distance = std::max(1, problem.ranks / 2);
  return {round};
}

}  // namespace cartwright::plan::catalogue
