// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/mapping/levels.hpp>
#include <cartwright/mapping/simulate_axes.hpp>
#include <cartwright/plan/algorithms/broadcast.hpp>
#include <cartwright/plan/builder.hpp>
#include <cartwright/plan/compose.hpp>
#include <cartwright/rt/error.hpp>
#include <cmath>
#include <memory>
#include <stdexcept>

namespace cartwright::mapping {

namespace {

/// A line of the grid: its ranks are first, first + stride, …
struct Line {
  int first = 0;
  int stride = 1;
  int size = 1;
  int me = 0;
};

Line line_of(const GridShape& shape, std::size_t axis, int rank) {
  Line line{.size = shape.dims[axis]};
  for (std::size_t i = 0; i < axis; ++i) line.stride *= shape.dims[i];
  line.me = rank / line.stride % line.size;
  line.first = rank - line.me * line.stride;
  return line;
}

int segments_of(const AxisSchedule& how, plan::Count bytes) {
  constexpr int usual = 64;
  if (how.tree != LineTree::chain) return 1;
  if (how.segment <= 0.0) return usual;
  return std::max(1, static_cast<int>(std::lround(static_cast<double>(bytes) / how.segment)));
}

plan::Schedule broadcast_along(const Line& line, LineTree tree, int segments) {
  const plan::Team team{.ranks = line.size, .me = line.me, .place = plan::Place::in_place};
  switch (tree) {
    case LineTree::chain:
      return plan::broadcast::chain(team, {}, segments);
    case LineTree::low_binomial:
      return plan::broadcast::binomial_low_bit_first(team, {}, plan::RootPlacement::rotate);
    case LineTree::high_binomial:
      return plan::broadcast::binomial_high_bit_first(team, {}, plan::RootPlacement::rotate);
    case LineTree::hierarchical:
      break;
  }
  throw std::invalid_argument("two-level trees along the lines of a grid aren't simulated");
}

/// Adds one axis to the schedule of the whole grid.
void add_axis(plan::Sequence& whole, const Line& line, LineTree tree, int segments) {
  const plan::Schedule part = broadcast_along(line, tree, segments);
  whole.add(part,
            {.rank = plan::ranks_from(line.first, line.stride), .begin = plan::blocks_from(0)});
  whole.next(part.rounds());
}

/// Ranks on each unit of every level between nodes and cores, in the order of slots.
InnerLevels inner_levels(const std::vector<int>& sizes, const plan::Machine& machine) {
  InnerLevels levels;
  for (std::size_t level = node_level(machine) + 1; level + 1 < machine.levels.size(); ++level) {
    const int unit = machine.ranks_in_unit(level);
    if (unit < 2) break;
    std::vector<int>& groups = levels.emplace_back();
    for (int left : sizes) {
      for (; left > 0; left -= unit) groups.push_back(std::min(left, unit));
    }
  }
  return levels;
}

}  // namespace

plan::Placement place(const NodeMap& map, const plan::Machine& machine) {
  const auto sizes = map.sizes();
  const int cores = machine.ranks_in_unit(node_level(machine));
  const int most = *std::max_element(sizes.begin(), sizes.end());
  if (most > cores) {
    throw rt::input_error(
        fmt::format("a node of '{}' has {} cores, too few for {} ranks", machine.name, cores, most),
        "Put fewer ranks on a node.");
  }
  const auto slots = assign_slots(map, inner_levels(sizes, machine));
  std::vector<int> first(sizes.size(), 0);
  for (std::size_t node = 1; node < sizes.size(); ++node) {
    first[node] = first[node - 1] + sizes[node - 1];
  }
  std::vector<int> placed(slots.size());
  for (std::size_t position = 0; position < slots.size(); ++position) {
    const auto node = static_cast<std::size_t>(map.nodes[position]);
    placed[position] = map.nodes[position] * cores + slots[position] - first[node];
  }
  return plan::Placement(std::move(placed));
}

std::vector<long long> halo_messages_by_level(const NodeMap& map, const plan::Machine& machine) {
  const plan::Placement placement = place(map, machine);
  const FaceTable faces(map.shape);
  std::vector<long long> messages(machine.levels.size(), 0);
  for (int position = 0; position < faces.positions(); ++position) {
    for (std::size_t direction = 0; direction < faces.directions(); ++direction) {
      const int next = faces.of(position)[direction];
      if (next == faces.positions()) continue;
      ++messages[plan::parting_level(machine, placement, position, next)];
    }
  }
  return messages;
}

plan::Schedule axis_broadcasts(const GridShape& shape, const AxisSchedule& how, plan::Count bytes,
                               int rank) {
  const auto ranks = static_cast<int>(shape.size());
  const plan::Team team{.ranks = ranks, .me = rank, .place = plan::Place::in_place};
  const int segments = segments_of(how, bytes);
  const auto empty = [&] {
    return plan::Sequence(team, {.blocks = segments, .output = {0, segments}});
  };
  std::vector<plan::Schedule> parts;
  plan::Sequence whole = empty();
  for (std::size_t axis = 0; axis < shape.dims.size(); ++axis) {
    const Line line = line_of(shape, axis, rank);
    if (line.size < 2) continue;
    if (how.overlapped) {
      plan::Sequence one = empty();
      add_axis(one, line, how.tree, segments);
      parts.push_back(std::move(one).finish());
    } else {
      add_axis(whole, line, how.tree, segments);
    }
  }
  return parts.empty() ? std::move(whole).finish() : plan::side_by_side(parts);
}

plan::Simulation simulate_axes(const NodeMap& map, const plan::Machine& machine,
                               const AxisSchedule& how, plan::Count bytes) {
  const int segments = segments_of(how, bytes);
  const auto axes = static_cast<std::size_t>(
      std::count_if(map.shape.dims.begin(), map.shape.dims.end(), [](int p) { return p > 1; }));
  // Side by side every axis has its own buffer; one rank's sizes hold for all.
  const plan::Layout one = plan::Cuts::balanced(segments, bytes);
  std::unique_ptr<plan::SideBySideLayout> merged;
  if (how.overlapped && axes > 0) {
    const AxisSchedule alone{.tree = how.tree, .overlapped = false, .segment = how.segment};
    const std::vector<plan::Schedule> parts(axes, axis_broadcasts(map.shape, alone, bytes, 0));
    merged = std::make_unique<plan::SideBySideLayout>(parts, std::vector<plan::Layout>(axes, one));
  }
  const plan::Layout layout = merged ? merged->layout() : one;
  return plan::simulate(
      static_cast<int>(map.nodes.size()),
      [&](int rank) { return axis_broadcasts(map.shape, how, bytes, rank); }, layout, 1, machine,
      {.execution = how.overlapped ? plan::Execution::by_dependencies : plan::Execution::in_order,
       .placement = place(map, machine)});
}

plan::Schedule halo_exchange(const GridShape& shape, int rank) {
  const auto axes = static_cast<int>(shape.dims.size());
  plan::Builder build({.ranks = static_cast<int>(shape.size()), .me = rank},
                      {.blocks = axes, .input = {0, axes}, .output = {0, 0}});
  const std::vector<int> here = shape.coordinates_of(rank);
  const auto for_each_neighbour = [&](const auto& visit) {
    for (int axis = 0; axis < axes; ++axis) {
      for (const int direction : {1, -1}) {
        std::vector<int> there = here;
        if (!shape.move(there, static_cast<std::size_t>(axis), direction) || there == here)
          continue;
        visit(shape.rank_of(there), axis);
      }
    }
  };
  for_each_neighbour([&](int neighbour, int axis) { build.send(neighbour, build.input(axis)); });
  for_each_neighbour([&](int neighbour, int axis) {
    build.receive(neighbour, {build.scratch(axis), axis, 1});
  });
  build.next_round();
  return std::move(build).finish();
}

plan::Simulation simulate_halo(const NodeMap& map, const plan::Machine& machine,
                               const std::vector<plan::Count>& face_bytes) {
  std::vector<plan::Count> offsets{0};
  for (const plan::Count bytes : face_bytes) offsets.push_back(offsets.back() + bytes);
  const plan::Layout layout = plan::Cuts::at(offsets);
  return plan::simulate(static_cast<int>(map.nodes.size()),
                        [&](int rank) { return halo_exchange(map.shape, rank); }, layout, 1,
                        machine, {.placement = place(map, machine)});
}

}  // namespace cartwright::mapping
