// SPDX-License-Identifier: Apache-2.0
#include "problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cartwright/mapping/predict/node_channels.hpp>
#include <cartwright/mapping/probe/probe_store.hpp>
#include <cartwright/mapping/search/process_grid.hpp>
#include <cartwright/rt/error.hpp>
#include <string>
#include <string_view>

#include "node_sizes.hpp"
#include "numbers.hpp"

namespace cartwright::command {

namespace {

constexpr auto machines_directory = CARTWRIGHT_INPUTS "/machines";
constexpr std::string_view axis_names = "xyz";

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
    problem.machine = mapping::described_machine(options.machine, machines_directory);
    (void)mapping::node_channels(*problem.machine);  // refuses machines without cores
  }
  auto& request = problem.request;
  request.shape = shape_of(options);
  const std::size_t axes = request.shape.dims.size();
  request.node_sizes = node_sizes(options, problem.machine, static_cast<int>(request.shape.size()));
  if (problem.machine) check_room(*problem.machine, request.node_sizes);
  problem.face_bytes = face_bytes(options, axes);
  request.weights = weights(options, axes);
  request.effort = options.effort;
  return problem;
}

}  // namespace cartwright::command
