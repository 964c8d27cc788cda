// SPDX-License-Identifier: Apache-2.0
#include "node_sizes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cartwright/mapping/predict/node_channels.hpp>
#include <cartwright/rt/error.hpp>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>

#include "numbers.hpp"
#include "problem.hpp"

namespace cartwright::command {

namespace {

/// "5x8,2x4": five nodes of 8, two of 4.
std::vector<int> listed_nodes(const std::string& text, int ranks) {
  std::vector<int> sizes;
  std::string_view left = text;
  while (!left.empty()) {
    const std::string_view part = left.substr(0, left.find(','));
    left.remove_prefix(std::min(left.size(), part.size() + 1));
    const auto pair = numbers_in(part, 'x');
    if (pair.size() != 2 || product(pair) > most_positions) {
      throw rt::input_error(
          fmt::format("--nodes: '{}' says nothing of nodes", part),
          "Write how many and how large, as 5x8,2x4: five nodes of 8 ranks and two "
          "of 4.");
    }
    sizes.insert(sizes.end(), static_cast<std::size_t>(pair[0]), static_cast<int>(pair[1]));
  }
  const long long sum = std::accumulate(sizes.begin(), sizes.end(), 0LL);
  if (sum != ranks) {
    throw rt::input_error(
        fmt::format("--nodes: {} holds {} ranks, the grid has {}", text, sum, ranks),
        "Each rank of the grid needs a place, and each place a rank.");
  }
  return sizes;
}

/// Full nodes; the last one gets the rest.
std::vector<int> filled_nodes(int ranks, int each) {
  std::vector<int> sizes(static_cast<std::size_t>(ranks / each), each);
  if (ranks % each != 0) sizes.push_back(ranks % each);
  return sizes;
}

std::vector<int> counted_nodes(const MapOptions& options, int ranks, int each) {
  const auto count = numbers_in(options.nodes, 'x');
  if (count.size() != 1 || count[0] > ranks) {
    throw rt::input_error(fmt::format("--nodes: '{}' nodes for {} ranks?", options.nodes, ranks),
                          "Write a number, as 8, or sizes, as 5x8,2x4.");
  }
  if (each == 0) {
    if (ranks % count[0] != 0) {
      throw rt::input_error(
          fmt::format("{} ranks can't be shared out evenly among {} nodes", ranks, count[0]),
          "Say how large each one is, as --nodes 3x20,1x16.");
    }
    each = static_cast<int>(ranks / count[0]);
  }
  auto sizes = filled_nodes(ranks, each);
  if (std::cmp_not_equal(sizes.size(), count[0])) {
    throw rt::input_error(
        fmt::format("{} ranks on nodes of {} need {} nodes, not {}", ranks, each, sizes.size(),
                    count[0]),
        "Leave out --nodes or --ranks-per-node, or give sizes, as --nodes 5x8,2x4.");
  }
  return sizes;
}

/// Nodes that a machine has; 0: as many as it takes.
long long nodes_of(const plan::Machine& machine) {
  long long nodes = 1;
  for (std::size_t level = 0; level <= mapping::node_level(machine); ++level)
    nodes *= machine.levels[level].units;
  return nodes;
}

/// What a Slurm allocation says of its nodes, "8(x5),4(x2)", as we write it.
std::string nodes_of_slurm(const char* tasks) {
  std::string text;
  std::string_view left = tasks;
  while (!left.empty()) {
    const std::string_view part = left.substr(0, left.find(','));
    left.remove_prefix(std::min(left.size(), part.size() + 1));
    const std::size_t times = part.find("(x");
    const std::string_view count =
        times == std::string_view::npos ? "1" : part.substr(times + 2, part.find(')') - times - 2);
    text += fmt::format("{}{}x{}", text.empty() ? "" : ",", count, part.substr(0, times));
  }
  return text;
}

}  // namespace

void check_room(const plan::Machine& machine, const std::vector<int>& sizes) {
  const int cores = machine.ranks_in_unit(mapping::node_level(machine));
  const int largest = *std::max_element(sizes.begin(), sizes.end());
  if (largest > cores) {
    throw rt::input_error(fmt::format("{} ranks don't fit on a node of '{}', which has {} cores",
                                      largest, machine.name, cores),
                          "Put fewer ranks on a node, or describe another machine.");
  }
  const long long nodes = nodes_of(machine);
  if (nodes > 0 && std::cmp_greater(sizes.size(), nodes)) {
    throw rt::input_error(fmt::format("'{}' has {} nodes of {} cores, too few for {} nodes",
                                      machine.name, nodes, cores, sizes.size()),
                          "Take fewer ranks, or another machine.");
  }
}

std::vector<int> node_sizes(const MapOptions& options, const std::optional<plan::Machine>& machine,
                            int ranks) {
  if (options.nodes.find_first_of("x,") != std::string::npos) {
    if (options.ranks_per_node != 0)
      throw rt::input_error("--nodes with sizes and --ranks-per-node contradict each other",
                            "Leave out --ranks-per-node.");
    return listed_nodes(options.nodes, ranks);
  }
  int each = options.ranks_per_node;
  if (const char* tasks = slurm_tasks(); options.nodes.empty() && each == 0 && !machine && tasks)
    return listed_nodes(nodes_of_slurm(tasks), ranks);
  if (!options.nodes.empty()) return counted_nodes(options, ranks, each);
  if (each == 0) each = machine->ranks_in_unit(mapping::node_level(*machine));
  return filled_nodes(ranks, each);
}

}  // namespace cartwright::command
