// SPDX-License-Identifier: Apache-2.0
#include "problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cartwright/mapping/machine_file.hpp>
#include <cartwright/mapping/node_channels.hpp>
#include <cartwright/mapping/process_grid.hpp>
#include <cartwright/rt/error.hpp>
#include <charconv>
#include <limits>
#include <numeric>
#include <string>
#include <string_view>

namespace cartwright::command {

namespace {

constexpr auto machines_directory = CARTWRIGHT_INPUTS "/machines";
constexpr std::string_view axis_names = "xyz";

/// Numbers between `separator`, all above 0; nothing if the text isn't that.
std::vector<long long> numbers_in(std::string_view text, char separator) {
  std::vector<long long> numbers;
  while (true) {
    const std::string_view part = text.substr(0, text.find(separator));
    long long number = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
    if (error != std::errc{} || end != part.data() + part.size() || number <= 0) return {};
    numbers.push_back(number);
    if (part.size() == text.size()) return numbers;
    text.remove_prefix(part.size() + 1);
  }
}

std::vector<long long> extents_in(const std::string& option, const std::string& text) {
  auto numbers = numbers_in(text, 'x');
  if (numbers.empty()) {
    throw rt::input_error(fmt::format("{}: '{}' is no grid", option, text),
                          "Write positive numbers with an x between them, as 24x24 or 8x8x4.");
  }
  constexpr std::size_t most_axes = 6;
  if (numbers.size() > most_axes) {
    throw rt::input_error(fmt::format("{}: {} axes are too many", option, numbers.size()),
                          fmt::format("Up to {} are possible.", most_axes));
  }
  return numbers;
}

void check_size(long long ranks) {
  if (ranks <= most_positions) return;
  throw rt::input_error(
      fmt::format("{} ranks are too many to look at one by one", ranks),
      fmt::format("Take at most {}; a run with more ranks places them without any table.",
                  most_positions));
}

long long product(const std::vector<long long>& numbers) {
  long long size = 1;
  for (const long long number : numbers) {
    if (size > std::numeric_limits<long long>::max() / number)
      return std::numeric_limits<long long>::max();
    size *= number;
  }
  return size;
}

std::vector<bool> periodic_axes(const std::string& text, std::size_t axes) {
  std::vector<bool> periodic(axes, text == "all");
  if (text == "all" || text == "none") return periodic;
  for (const char letter : text) {
    if (letter == ',') continue;
    const std::size_t axis = axis_names.find(letter);
    if (axis >= axes) {
      throw rt::input_error(fmt::format("--periodic: the grid has no axis '{}'", letter),
                            fmt::format("Name some of its axes ({}), or write all or none.",
                                        axis_names.substr(0, std::min(axes, axis_names.size()))));
    }
    periodic[axis] = true;
  }
  return periodic;
}

mapping::GridShape shape_of(const MapOptions& options) {
  const bool given = !options.dims.empty();
  const auto numbers =
      given ? extents_in("--dims", options.dims) : extents_in("--extents", options.extents);
  const auto periodic = periodic_axes(options.periodic, numbers.size());
  if (!given) {
    if (options.ranks == 0)
      throw rt::input_error("--extents also needs -n", "Say for how many ranks, as -n 96.");
    check_size(options.ranks);
    return {mapping::choose_process_grid({.ranks = static_cast<int>(options.ranks),
                                          .extents = numbers,
                                          .periodic = periodic,
                                          .weights = options.weights}),
            periodic};
  }
  const long long size = product(numbers);
  check_size(size);
  if (options.ranks != 0 && options.ranks != size) {
    throw rt::input_error(
        fmt::format("a grid of {} has {} ranks, not {}", options.dims, size, options.ranks),
        fmt::format("Leave out -n, or write -n {}.", size));
  }
  return {std::vector<int>(numbers.begin(), numbers.end()), periodic};
}

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

void check_machine(const plan::Machine& machine, const std::vector<int>& sizes) {
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

std::vector<double> face_bytes(const MapOptions& options, std::size_t axes) {
  constexpr double usual = 8192.0;
  std::vector<double> bytes(options.face_bytes.begin(), options.face_bytes.end());
  if (bytes.empty()) bytes.push_back(usual);
  if (bytes.size() == 1) bytes.resize(axes, bytes.front());
  const auto is_positive = [](double value) { return value > 0.0; };
  if (bytes.size() != axes || !std::all_of(bytes.begin(), bytes.end(), is_positive)) {
    throw rt::input_error(
        fmt::format("--face: {} can't be the bytes across {} ax{}s",
                    fmt::join(options.face_bytes, ","), axes, axes == 1 ? "i" : "e"),
        "Give one size for all, or one for each axis, above 0.");
  }
  return bytes;
}

std::vector<double> weights(const MapOptions& options, std::size_t axes) {
  const auto is_sound = [](double value) { return value > 0.0 && value < 1e300; };
  if (!options.weights.empty() &&
      (options.weights.size() != axes ||
       !std::all_of(options.weights.begin(), options.weights.end(), is_sound))) {
    throw rt::input_error(fmt::format("--weights: {} can't be the weights of {} ax{}s",
                                      fmt::join(options.weights, ","), axes, axes == 1 ? "i" : "e"),
                          "Give one positive number for each axis, as 1,4.");
  }
  if (!options.weights.empty() || options.face_bytes.size() < 2) return options.weights;
  const std::vector<double> bytes(options.face_bytes.begin(), options.face_bytes.end());
  std::vector<double> scaled;
  scaled.reserve(axes);
  const double least = *std::min_element(bytes.begin(), bytes.end());
  for (const double each : bytes) scaled.push_back(each / least);
  return scaled;
}

}  // namespace

MapProblem map_problem(const MapOptions& options) {
  MapProblem problem;
  if (!options.machine.empty()) {
    problem.machine =
        mapping::read_machine(mapping::find_machine(options.machine, machines_directory));
    (void)mapping::node_channels(*problem.machine);  // refuses machines without cores
  }
  auto& request = problem.request;
  request.shape = shape_of(options);
  const std::size_t axes = request.shape.dims.size();
  request.node_sizes = node_sizes(options, problem.machine, static_cast<int>(request.shape.size()));
  if (problem.machine) check_machine(*problem.machine, request.node_sizes);
  problem.face_bytes = face_bytes(options, axes);
  request.weights = weights(options, axes);
  request.effort = options.effort;
  return problem;
}

}  // namespace cartwright::command
