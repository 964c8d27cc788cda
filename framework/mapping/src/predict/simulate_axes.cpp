// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/mapping/predict/simulate_axes.hpp>
#include <cartwright/mapping/search/levels.hpp>
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

/// The collectives of all lines, as one schedule of each rank.
class Lines {
 public:
  Lines(const NodeMap& map, const LineMaker& make, plan::Count bytes, bool overlapped)
      : shape_(map.shape), bytes_(bytes), overlapped_(overlapped) {
    for (std::size_t axis = 0; axis < shape_.dims.size(); ++axis) {
      if (shape_.dims[axis] < 2) continue;
      axes_.push_back({axis, std::vector<plan::Maker>(map.nodes.size())});
      for (int rank = 0; rank < static_cast<int>(map.nodes.size()); ++rank) {
        const Line line = line_of(shape_, axis, rank);
        if (line.me == 0) axes_.back().makers[at(rank)] = make(axis, nodes_along(map, line));
      }
    }
  }

  [[nodiscard]] plan::Schedule schedule(int rank) const {
    const auto parts = parts_of(rank);
    if (overlapped_ && !parts.empty()) return plan::side_by_side(embedded(parts, rank));
    const int blocks = std::max(1, all_blocks(parts));
    plan::Sequence whole(team(rank), {.blocks = blocks, .output = {0, blocks}});
    int first = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      add(whole, parts[i], line_of(shape_, axes_[i].axis, rank), first);
      first += parts[i].blocks();
    }
    return std::move(whole).finish();
  }

  /// Valid as long as this is.
  [[nodiscard]] plan::Layout layout(int rank) {
    const auto parts = parts_of(rank);
    std::vector<plan::Layout> each;
    for (const auto& part : parts) each.emplace_back(plan::Cuts::balanced(part.blocks(), bytes_));
    if (overlapped_ && !parts.empty()) {
      merged_.push_back(std::make_unique<plan::SideBySideLayout>(embedded(parts, rank), each));
      return merged_.back()->layout();
    }
    auto& offsets = *offsets_.emplace_back(std::make_unique<std::vector<plan::Count>>(1, 0));
    for (std::size_t i = 0; i < parts.size(); ++i)
      for (int block = 0; block < parts[i].blocks(); ++block)
        offsets.push_back(offsets.back() + each[i].output.length(block, 1));
    if (parts.empty()) offsets.push_back(0);
    return plan::Cuts::at(offsets);
  }

 private:
  struct Axis {
    std::size_t axis;
    std::vector<plan::Maker> makers;  // by the first rank of the line
  };

  static std::size_t at(int rank) { return static_cast<std::size_t>(rank); }

  static std::vector<int> nodes_along(const NodeMap& map, const Line& line) {
    std::vector<int> nodes;
    for (int i = 0; i < line.size; ++i)
      nodes.push_back(map.nodes[at(line.first + i * line.stride)]);
    return nodes;
  }

  [[nodiscard]] plan::Team team(int rank) const {
    return {.ranks = static_cast<int>(shape_.size()), .me = rank, .place = plan::Place::in_place};
  }

  [[nodiscard]] std::vector<plan::Schedule> parts_of(int rank) const {
    std::vector<plan::Schedule> parts;
    for (const Axis& axis : axes_) {
      const Line line = line_of(shape_, axis.axis, rank);
      parts.push_back(axis.makers[at(line.first)](
          {.ranks = line.size, .me = line.me, .place = plan::Place::in_place}));
    }
    return parts;
  }

  static int all_blocks(const std::vector<plan::Schedule>& parts) {
    int blocks = 0;
    for (const auto& part : parts) blocks += part.blocks();
    return blocks;
  }

  static void add(plan::Sequence& whole, const plan::Schedule& part, const Line& line, int first) {
    whole.add(part, {.rank = plan::ranks_from(line.first, line.stride),
                     .begin = plan::blocks_from(first)});
    whole.next(part.rounds());
  }

  /// Each part among all ranks.
  [[nodiscard]] std::vector<plan::Schedule> embedded(const std::vector<plan::Schedule>& parts,
                                                     int rank) const {
    std::vector<plan::Schedule> all;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const int blocks = parts[i].blocks();
      plan::Sequence one(team(rank), {.blocks = blocks, .output = {0, blocks}});
      add(one, parts[i], line_of(shape_, axes_[i].axis, rank), 0);
      all.push_back(std::move(one).finish());
    }
    return all;
  }

  const GridShape& shape_;
  plan::Count bytes_;
  bool overlapped_;
  std::vector<Axis> axes_;
  std::vector<std::unique_ptr<plan::SideBySideLayout>> merged_;
  std::vector<std::unique_ptr<std::vector<plan::Count>>> offsets_;
};

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

plan::Simulation simulate_lines(const NodeMap& map, const plan::Machine& machine,
                                const LineMaker& make, plan::Count bytes, bool overlapped) {
  Lines lines(map, make, bytes, overlapped);
  return plan::simulate(
      static_cast<int>(map.nodes.size()), [&](int rank) { return lines.schedule(rank); },
      [&](int rank) { return lines.layout(rank); }, 1, machine,
      {.execution = overlapped ? plan::Execution::by_dependencies : plan::Execution::in_order,
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
