// SPDX-License-Identifier: Apache-2.0
#include "reduction_cost.hpp"

#include <algorithm>
#include <bit>
#include <cartwright/mapping/predict/node_channels.hpp>
#include <cartwright/plan/selection/selector.hpp>
#include <string_view>

namespace cartwright::mapping {

namespace {

plan::Problem problem_of(const CollectiveKind& kind, int ranks) {
  plan::Problem problem{.operation = kind.operation, .ranks = ranks};
  problem.element_size = kind.bytes % 8 == 0 && kind.bytes > 0 ? 8 : 1;
  problem.elements = kind.bytes / problem.element_size;
  return problem;
}

/// With more units of the outermost level than it has, so that all ranks have room.
plan::Machine with_room(plan::Machine machine, long long ranks) {
  const long long each = machine.ranks_in_unit(0);
  machine.levels.front().units =
      std::max(machine.levels.front().units, static_cast<int>((ranks + each - 1) / each));
  return machine;
}

/// Its nodes alone, with one rank each.
plan::Machine of_nodes(plan::Machine machine) {
  machine.levels.resize(node_level(machine) + 1);
  return machine;
}

double by_schedules(const plan::Problem& problem, const plan::Machine& machine,
                    std::string_view algorithm) {
  if (problem.ranks < 2) return 0.0;
  const plan::Machine roomy = with_room(machine, problem.ranks);
  double best = -1.0;
  for (const plan::Choice& choice : plan::choices(problem, roomy)) {
    const double seconds = plan::seconds(plan::formula_time(problem, roomy, choice));
    if (choice.algorithm->name == algorithm) return seconds;
    if (best < 0.0 || seconds < best) best = seconds;
  }
  return std::max(best, 0.0);
}

/// What a rank reads of others while `units` of them, in `rounds`, combine vectors of `bytes`, or
/// gather blocks of as many, which grow, or keep a part of their vectors, which shrink.
double bytes_read(plan::Operation operation, double bytes, int units, int rounds) {
  if (operation == plan::Operation::allgather) return bytes * (units - 1);
  if (operation == plan::Operation::reduce_scatter) return bytes * (units - 1) / units;
  return bytes * rounds;
}

/// What each has then.
double bytes_after(plan::Operation operation, double bytes, int units) {
  if (operation == plan::Operation::allgather) return bytes * units;
  if (operation == plan::Operation::reduce_scatter) return bytes / units;
  return bytes;
}

/// Through memory that ranks of a node share: all write what they have, and read that of a partner
/// in each round. What the message of a round takes is that a line of cache comes over.
double inside_node(const CollectiveKind& kind, const plan::Machine& machine, int ranks) {
  double seconds = 0.0;
  auto bytes = static_cast<double>(kind.bytes);
  if (kind.operation == plan::Operation::reduce_scatter) bytes *= ranks;  // the whole vector
  int left = ranks;
  const std::size_t node = node_level(machine);
  for (std::size_t level = machine.levels.size(); level-- > node + 1 && left > 1;) {
    const int units = std::min(std::max(machine.levels[level].units, 1), left);
    const int rounds = std::bit_width(static_cast<unsigned>(units) - 1U);
    const plan::Network& network = machine.levels[level].network;
    const auto size = static_cast<plan::Count>(bytes);
    seconds += rounds * network.latency.at(size) +
               bytes_read(kind.operation, bytes, units, rounds) * network.byte_time.at(size);
    bytes = bytes_after(kind.operation, bytes, units);
    left = (left + units - 1) / units;
  }
  return seconds;
}

}  // namespace

double collective_time(const CollectiveKind& kind, const plan::Machine& machine,
                       const RanksOnNodes& ranks, Transport transport) {
  if (ranks.ranks < 2) return 0.0;
  if (transport == Transport::native)
    return by_schedules(problem_of(kind, ranks.ranks), machine, "recursive_doubling");
  if (transport == Transport::messages)
    return by_schedules(problem_of(kind, ranks.ranks), machine, {});
  const double inside = inside_node(kind, machine, ranks.on_node);
  if (ranks.nodes < 2) return inside;
  // To the rank that speaks for its node, and back. A node's blocks are one.
  CollectiveKind of_node = kind;
  if (plan::has_rank_blocks(kind.operation)) of_node.bytes *= ranks.on_node;
  return 2.0 * inside +
         by_schedules(problem_of(of_node, static_cast<int>(ranks.nodes)), of_nodes(machine), {});
}

double reduction_time(const StepProfile& profile, const plan::Machine& machine,
                      const RanksOnNodes& ranks, Transport transport) {
  double seconds = 0.0;
  for (const CollectiveKind& kind : profile.collectives)
    seconds += kind.times * collective_time(kind, machine, ranks, transport);
  return seconds;
}

}  // namespace cartwright::mapping
