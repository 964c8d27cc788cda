// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/mapping/search/bricks.hpp>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>

namespace cartwright::mapping {

namespace {

/// Positions in one part of the grid, and the nodes that share them.
struct Part {
  std::span<int> positions;
  int first_node, nodes;
};

/// Sorts positions by axes[level], then by the other axes as a serpentine, so that a cut within a
/// layer is one straight step. Counting sort by a key would be faster; parts are small.
class Layers {
 public:
  Layers(const GridShape& shape, const std::vector<std::size_t>& axes) : axes_(axes) {
    for (int position = 0; position < shape.size(); ++position) {
      int rest = position;
      for (const int extent : shape.dims) {
        coordinates_.push_back(rest % extent);
        rest /= extent;
      }
    }
    extents_ = shape.dims;
  }

  void sort(std::span<int> positions, std::size_t level) const {
    std::vector<std::pair<std::uint64_t, int>> keyed;
    keyed.reserve(positions.size());
    for (const int position : positions) keyed.emplace_back(key(position, level), position);
    std::sort(keyed.begin(), keyed.end());
    for (std::size_t i = 0; i < keyed.size(); ++i) positions[i] = keyed[i].second;
  }

 private:
  [[nodiscard]] std::uint64_t key(int position, std::size_t level) const {
    const std::size_t d = extents_.size();
    const int* x = coordinates_.data() + static_cast<std::size_t>(position) * d;
    std::uint64_t key = 0;
    bool back = false;
    for (std::size_t i = 0; i < axes_.size(); ++i) {
      const std::size_t axis = axes_[(level + i) % axes_.size()];
      const int at = back ? extents_[axis] - 1 - x[axis] : x[axis];
      key = key * static_cast<std::uint64_t>(extents_[axis]) + static_cast<std::uint64_t>(at);
      back = back != (x[axis] % 2 != 0);
    }
    return key;
  }

  const std::vector<std::size_t>& axes_;
  std::vector<int> extents_, coordinates_;
};

void lay(const Layers& layers, const Bricks& bricks, std::size_t level, const Part& part,
         std::span<const int> sizes, std::vector<int>& nodes) {
  if (part.nodes == 1) {
    for (const int position : part.positions) {
      nodes[static_cast<std::size_t>(position)] = part.first_node;
    }
    return;
  }
  layers.sort(part.positions, level);
  const int groups =
      level < bricks.groups.size() ? std::min(bricks.groups[level], part.nodes) : part.nodes;
  std::size_t begin = 0;
  for (int group = 0; group < groups; ++group) {
    const auto at = [&](long long i) { return static_cast<int>(i * part.nodes / groups); };
    const int first = part.first_node + at(group);
    const int count = at(group + 1LL) - at(group);
    const auto mine =
        sizes.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
    const auto size = static_cast<std::size_t>(std::accumulate(mine.begin(), mine.end(), 0));
    lay(layers, bricks, level + 1, {part.positions.subspan(begin, size), first, count}, sizes,
        nodes);
    begin += size;
  }
}

/// Numbers of groups around `ideal`, at most `most`.
std::vector<int> around(double ideal, int most, int spread) {
  std::vector<int> counts;
  const auto middle = static_cast<int>(std::lround(ideal));
  for (int count = middle - spread; count <= middle + spread; ++count) {
    counts.push_back(std::clamp(count, 1, most));
  }
  counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
  return counts;
}

}  // namespace

NodeMap lay_bricks(const GridShape& shape, std::span<const int> node_sizes, const Bricks& bricks) {
  const Layers layers(shape, bricks.axes);
  std::vector<int> positions(static_cast<std::size_t>(shape.size()));
  std::iota(positions.begin(), positions.end(), 0);
  const auto node_count = static_cast<int>(node_sizes.size());
  NodeMap map{shape, std::vector<int>(positions.size()), node_count};
  lay(layers, bricks, 0, {positions, 0, node_count}, node_sizes, map.nodes);
  return map;
}

std::vector<Bricks> brick_candidates(const GridShape& shape, int node_count,
                                     const std::vector<double>& weights) {
  std::vector<std::size_t> axes;
  for (std::size_t axis = 0; axis < shape.dims.size(); ++axis) {
    if (shape.dims[axis] > 1) axes.push_back(axis);
  }
  std::stable_sort(axes.begin(), axes.end(),
                   [&](auto a, auto b) { return shape.dims[a] > shape.dims[b]; });
  const std::size_t cut = std::min<std::size_t>(axes.size(), 3);
  // An axis is cut in proportion to its extent and against its weight, n times in all.
  double volume = 1.0;
  const auto length = [&](std::size_t axis) {
    return shape.dims[axis] / (weights.empty() ? 1.0 : std::max(weights[axis], 1e-6));
  };
  for (std::size_t i = 0; i < cut; ++i) volume *= length(axes[i]);
  const double density =
      std::pow(node_count / volume, 1.0 / static_cast<double>(std::max<std::size_t>(cut, 1)));
  std::vector<Bricks> all;
  std::sort(axes.begin(), axes.begin() + static_cast<std::ptrdiff_t>(cut));
  do {
    std::vector<std::vector<int>> choices{{}};
    for (std::size_t level = 0; level + 1 < cut; ++level) {
      std::vector<std::vector<int>> longer;
      for (const auto& start : choices) {
        for (const int count :
             around(length(axes[level]) * density, node_count, cut == 2 ? 3 : 1)) {
          longer.push_back(start);
          longer.back().push_back(count);
        }
      }
      choices = std::move(longer);
    }
    for (auto& groups : choices) all.push_back({axes, std::move(groups)});
  } while (std::next_permutation(axes.begin(), axes.begin() + static_cast<std::ptrdiff_t>(cut)));
  return all;
}

std::string Bricks::describe() const {
  std::string text = "bricks";
  for (std::size_t level = 0; level < groups.size(); ++level) {
    const std::size_t axis = axes[level];
    text += fmt::format(
        "{}{} parts along {}", level == 0 ? ", " : " x ", groups[level],
        axis < 3 ? std::string(1, static_cast<char>('x' + axis)) : fmt::format("axis {}", axis));
  }
  return text;
}

}  // namespace cartwright::mapping
