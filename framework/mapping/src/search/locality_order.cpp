// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/mapping/search/locality_order.hpp>
#include <cmath>
#include <utility>

namespace cartwright::mapping {

namespace {

/// One of several near-equal parts of an axis, seen in the direction of a walk.
struct StripPart {
  int number;  // in the order of the walk
  int begin;   // first position of the part in the order of the walk
  int width;
};

/// A walk along an axis of `extent` positions: forth, or back where a serpentine returns. Turning
/// round is its own inverse.
int turned(int position, int extent, bool backwards) {
  return backwards ? extent - 1 - position : position;
}

/// The part that holds `position` of the axis (not of the walk).
StripPart part_at(int position, int extent, int parts, bool backwards) {
  const long long n = extent;
  const long long p = parts;
  const auto number = static_cast<int>(((position + 1LL) * p - 1) / n);
  const auto begin = static_cast<int>(number * n / p);
  const auto end = static_cast<int>((number + 1LL) * n / p);
  return {turned(number, parts, backwards), backwards ? extent - end : begin, end - begin};
}

/// The axes across which strips are cut: all but `along`, the last one changing slowest.
std::vector<std::size_t> section_axes(std::size_t dimensions, std::size_t along) {
  std::vector<std::size_t> axes;
  for (std::size_t axis = dimensions; axis-- > 0;) {
    if (axis != along) axes.push_back(axis);
  }
  return axes;
}

}  // namespace

LocalityOrder::LocalityOrder(GridShape shape, std::size_t along, std::vector<int> parts)
    : shape_(std::move(shape)), along_(along), parts_(std::move(parts)) {}

// Serpentine: the walk along an axis goes back whenever the number of the walk, counted over all
// axes that change more slowly, is odd. `unit`: positions in one layer across the axis at hand.
std::vector<int> LocalityOrder::coordinates(int slot) const {
  const auto axes = section_axes(shape_.dims.size(), along_);
  std::vector<int> x(shape_.dims.size());
  std::vector<StripPart> section(shape_.dims.size());
  long long unit = shape_.size();
  long long rest = slot;
  long long walk = 0;
  int cross_section = 1;
  for (const std::size_t axis : axes) {
    const int extent = shape_.dims[axis];
    const bool back = walk % 2 != 0;
    unit /= extent;
    const auto position = static_cast<int>(rest / unit);
    const StripPart part = part_at(turned(position, extent, back), extent, parts_[axis], back);
    rest -= part.begin * unit;
    unit *= part.width;
    walk = walk * parts_[axis] + part.number;
    cross_section *= part.width;
    x[axis] =
        turned(part.begin, extent, back) - (back ? part.width - 1 : 0);  // its lowest position
    section[axis] = part;
  }
  const int length = shape_.dims[along_];
  const auto step = static_cast<int>(rest / cross_section);
  x[along_] = turned(step, length, walk % 2 != 0);
  walk = walk * length + step;
  rest %= cross_section;
  for (const std::size_t axis : axes) {
    cross_section /= section[axis].width;
    const auto position = static_cast<int>(rest / cross_section);
    rest %= cross_section;
    x[axis] += turned(position, section[axis].width, walk % 2 != 0);
    walk = walk * section[axis].width + position;
  }
  return x;
}

int LocalityOrder::slot(const std::vector<int>& coordinates) const {
  const auto axes = section_axes(shape_.dims.size(), along_);
  std::vector<StripPart> section(shape_.dims.size());
  std::vector<int> inside(shape_.dims.size());
  long long unit = shape_.size();
  long long slot = 0;
  long long walk = 0;
  int cross_section = 1;
  for (const std::size_t axis : axes) {
    const int extent = shape_.dims[axis];
    const bool back = walk % 2 != 0;
    unit /= extent;
    const StripPart part = part_at(coordinates[axis], extent, parts_[axis], back);
    const int lowest = turned(part.begin, extent, back) - (back ? part.width - 1 : 0);
    inside[axis] = coordinates[axis] - lowest;
    slot += part.begin * unit;
    unit *= part.width;
    walk = walk * parts_[axis] + part.number;
    cross_section *= part.width;
    section[axis] = part;
  }
  const int length = shape_.dims[along_];
  const int step = turned(coordinates[along_], length, walk % 2 != 0);
  slot += static_cast<long long>(step) * cross_section;
  walk = walk * length + step;
  for (const std::size_t axis : axes) {
    cross_section /= section[axis].width;
    const int position = turned(inside[axis], section[axis].width, walk % 2 != 0);
    slot += static_cast<long long>(position) * cross_section;
    walk = walk * section[axis].width + position;
  }
  return static_cast<int>(slot);
}

std::string LocalityOrder::describe() const {
  std::string text = along_ < 3 ? fmt::format("strips along {}", static_cast<char>('x' + along_))
                                : fmt::format("strips along axis {}", along_);
  const char* separator = ", ";
  for (std::size_t axis = 0; axis < shape_.dims.size(); ++axis) {
    if (axis == along_ || shape_.dims[axis] == 1) continue;
    const int extent = shape_.dims[axis];
    const int narrow = extent / parts_[axis];
    const int wide = (extent + parts_[axis] - 1) / parts_[axis];
    text += separator;
    text += narrow == wide ? fmt::format("{}", wide) : fmt::format("{} or {}", narrow, wide);
    separator = " x ";
  }
  return text + (separator[0] == ' ' ? " wide" : "");
}

namespace {

/// Into how many parts to divide an axis of `extent` positions so that parts are about `width`
/// wide.
std::vector<int> part_counts(int extent, double width, int spread) {
  const int narrowest = std::max(1, static_cast<int>(std::floor(width)) - spread);
  const int widest = static_cast<int>(std::ceil(width)) + spread;
  std::vector<int> counts;
  for (int w = narrowest; w <= widest; ++w) {
    counts.push_back(std::max(1, extent / w));
    counts.push_back((extent + w - 1) / w);
  }
  std::sort(counts.begin(), counts.end());
  counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
  return counts;
}

/// Every combination of one entry of each list.
std::vector<std::vector<int>> combinations(const std::vector<std::vector<int>>& lists) {
  std::vector<std::vector<int>> all{{}};
  for (const auto& list : lists) {
    std::vector<std::vector<int>> longer;
    for (const auto& start : all) {
      for (const int entry : list) {
        longer.push_back(start);
        longer.back().push_back(entry);
      }
    }
    all = std::move(longer);
  }
  return all;
}

}  // namespace

std::vector<LocalityOrder> LocalityOrder::candidates(const GridShape& shape, int node_size) {
  const auto long_axes =
      std::count_if(shape.dims.begin(), shape.dims.end(), [](int extent) { return extent > 1; });
  const double width = std::pow(node_size, 1.0 / static_cast<double>(std::max(long_axes, 1L)));
  const int spread = long_axes <= 2 ? 1 : 0;  // keeps the number of candidates small
  std::vector<LocalityOrder> orders;
  for (std::size_t along = 0; along < shape.dims.size(); ++along) {
    if (shape.dims[along] == 1) continue;
    std::vector<std::vector<int>> counts;
    for (std::size_t axis = 0; axis < shape.dims.size(); ++axis) {
      counts.push_back(axis == along ? std::vector{1}
                                     : part_counts(shape.dims[axis], width, spread));
    }
    for (auto& parts : combinations(counts)) orders.emplace_back(shape, along, std::move(parts));
  }
  return orders;
}

}  // namespace cartwright::mapping
