// SPDX-License-Identifier: Apache-2.0
#include "dots.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "field_numbers.hpp"

namespace cartwright::grid {
namespace {

constexpr int longest_side = 600;  // pixels

struct Dot {
  int x, y;  ///< pixel of its middle
  double value;
};

/// In pixels: large where there are few.
int radius_of_dots(long long particles) {
  if (particles <= 300) return 4;
  if (particles <= 3000) return 2;
  return particles <= 30000 ? 1 : 0;
}

/// The page's geometry: pixels are as good as square.
Slice page_of(const GridDescription& grid, const std::optional<SlicePlane>& plane) {
  Slice page;
  page.dimensions = std::min(grid.dimensions, 2);
  page.axes = slice_axes(grid, plane);
  double longest = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(page.dimensions); ++i) {
    const auto axis = static_cast<std::size_t>(page.axes[i]);
    page.lower[i] = grid.origin[axis];
    page.upper[i] = grid.origin[axis] + grid.length[axis];
    longest = std::max(longest, grid.length[axis]);
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(page.dimensions); ++i)
    page.count[i] = std::max(
        1, static_cast<int>(std::lround(longest_side * (page.upper[i] - page.lower[i]) / longest)));
  return page;
}

/// Those whose middle is on the page.
std::vector<Dot> own_dots(const FieldBase& attribute, const Slice& page) {
  const FieldBase& positions = *attribute.positions();
  const std::vector<std::byte> where = owned_bytes(positions), numbers = owned_bytes(attribute);
  const auto place = [&](long long particle, int axis) {
    double x = 0;
    std::memcpy(
        &x,
        where.data() + static_cast<std::size_t>(particle * positions.element().components + axis) *
                           sizeof(double),
        sizeof(double));
    return x;
  };
  std::vector<Dot> dots;
  for (long long particle = 0; particle < attribute.block().points(); ++particle) {
    std::array<int, 2> pixel{};
    bool is_seen = true;
    for (std::size_t i = 0; i < static_cast<std::size_t>(page.dimensions); ++i) {
      const double part =
          (place(particle, page.axes[i]) - page.lower[i]) / (page.upper[i] - page.lower[i]);
      is_seen = is_seen && part >= 0 && part <= 1;
      if (is_seen) pixel[i] = std::min(page.count[i] - 1, static_cast<int>(part * page.count[i]));
    }
    if (is_seen)
      dots.push_back({pixel[0], pixel[1],
                      number_at<double>(numbers, particle, attribute.element().components)});
  }
  return dots;
}

void draw(Slice& page, const Dot& dot, int radius) {
  const int across = page.dimensions == 1 ? 0 : radius;
  for (int y = std::max(0, dot.y - across); y <= std::min(page.count[1] - 1, dot.y + across); ++y)
    for (int x = std::max(0, dot.x - across); x <= std::min(page.count[0] - 1, dot.x + across);
         ++x) {
      const int dx = x - dot.x, dy = y - dot.y;
      if (dx * dx + dy * dy > radius * radius + radius) continue;  // round, not pointed
      page.values[static_cast<std::size_t>(y) * static_cast<std::size_t>(page.count[0]) +
                  static_cast<std::size_t>(x)] = dot.value;
    }
}

}  // namespace

Slice gather_dots(const comm::Collectives& comm, const GridDescription& grid,
                  const FieldBase& attribute, const std::optional<SlicePlane>& plane) {
  Slice page = page_of(grid, plane);
  const comm::Collected<Dot> dots = comm.gather_uneven(own_dots(attribute, page), rt::Rank{0});
  if (!comm.communicator().is_root()) return page;
  page.values.assign(
      static_cast<std::size_t>(page.count[0]) * static_cast<std::size_t>(page.count[1]),
      std::numeric_limits<double>::quiet_NaN());
  const int radius = radius_of_dots(attribute.block().global[0]);
  for (const Dot& dot : dots.elements) draw(page, dot, radius);
  return page;
}

}  // namespace cartwright::grid
