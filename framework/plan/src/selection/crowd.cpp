// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cartwright/plan/compose.hpp>
#include <cartwright/plan/selection/crowd.hpp>
#include <cartwright/plan/selection/selector.hpp>
#include <cartwright/plan/simulation/simulate.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace cartwright::plan {

namespace {

bool mixes_nodes(const Problem& problem) {
  const Hierarchy* const nodes = problem.nodes;
  return nodes != nullptr && nodes->levels() == 2 && nodes->members(0) > 1 &&
         nodes->largest_member(0) > 1;
}

/// What one of so many equal teams gets of a channel when all of them use it alike.
Concurrency share_of(const Concurrency& channel, int teams) {
  constexpr int most = 64;
  Concurrency share;
  if (!channel.limited()) return share;
  for (int messages = 1; messages <= most; ++messages)
    share.bandwidth.push_back(channel.at(messages * teams) / teams);
  return share;
}

/// Nodes with room for the largest part of one team.
Machine seen_by_team(const Machine& machine, const Crowd& crowd, int largest) {
  Machine seen = machine;
  seen.levels = {machine.levels.front(), machine.levels.back()};
  Level& node = seen.levels.front();
  const int teams = std::max(1, crowd.node_ranks / largest);
  node.units = 0;
  node.leaving = share_of(node.leaving, teams);
  node.inside = {};  // how many teams have messages inside of a node at a time nobody knows
  seen.levels.back().units = largest;
  seen.levels.back().leaving = {};
  return seen;
}

Placement placed(const Hierarchy& nodes, int largest) {
  std::vector<int> cores(static_cast<std::size_t>(nodes.ranks()));
  for (int place = 0; place < nodes.ranks(); ++place) {
    const int node = nodes.member_at(0, place);
    cores[static_cast<std::size_t>(nodes.rank_at(place))] =
        node * largest + place - nodes.first_place(0, node);
  }
  return Placement(std::move(cores));
}

}  // namespace

std::optional<Picoseconds> time_in_crowd(const Problem& problem, const Machine& machine,
                                         const Crowd& crowd, const Choice& choice) {
  constexpr std::int64_t most_steps = 5'000;  // below a millisecond
  const int copies = std::max(1, crowd.collectives);
  if (copies * steps_of(problem, choice) > most_steps) return std::nullopt;
  const int largest = problem.nodes->largest_member(0);
  const Maker make = choice.maker(problem);
  const auto parts = [&](int rank) {
    return std::vector<Schedule>(
        static_cast<std::size_t>(copies),
        make({.ranks = problem.ranks, .me = rank, .place = Place::in_place}));
  };
  const auto first = parts(0);
  const std::vector<Layout> layouts(first.size(), layout_of(problem, first.front().blocks()));
  const SideBySideLayout merged(first, layouts);
  return simulate(problem.ranks, [&](int rank) { return side_by_side(parts(rank)); },
                  merged.layout(), static_cast<std::size_t>(problem.element_size),
                  seen_by_team(machine, crowd, largest),
                  {.execution = Execution::by_dependencies,
                   .record = Record::times,
                   .placement = placed(*problem.nodes, largest)})
      .total;
}

std::vector<Choice> broadcasts_in_crowd(const Problem& problem) {
  constexpr std::array<std::string_view, 4> trees{"binomial_low_bit_first", "linear", "k_nomial(2)",
                                                  "k_nomial(3)"};
  std::vector<std::string> names;
  if (mixes_nodes(problem)) {
    for (const std::string_view across : trees)
      for (const std::string_view inside : trees)
        names.push_back("hierarchical(nodes: " + std::string(across) + " | " + std::string(inside) +
                        ")");
  }
  names.insert(names.end(), trees.begin(), trees.end());
  std::vector<Choice> all;
  for (const std::string& name : names) {
    Choice choice = parse_choice(Operation::broadcast, name);
    if (may_solve(*choice.algorithm, problem)) all.push_back(std::move(choice));
  }
  return all;
}

Choice quickest_in_crowd(const Problem& problem, const Machine& machine, const Crowd& crowd,
                         const Choice& usual) {
  constexpr double clear_gain = 1.05;
  if (problem.operation != Operation::broadcast || !mixes_nodes(problem)) return usual;
  const auto time = time_in_crowd(problem, machine, crowd, usual);
  if (!time) return usual;
  Choice best = usual;
  auto least = static_cast<Picoseconds>(static_cast<double>(*time) / clear_gain);
  for (Choice& choice : broadcasts_in_crowd(problem)) {
    const auto attempt = time_in_crowd(problem, machine, crowd, choice);
    if (!attempt || *attempt >= least) continue;
    least = *attempt;
    best = std::move(choice);
  }
  return best;
}

}  // namespace cartwright::plan
