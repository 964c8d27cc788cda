// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/linear/operators/axis_geometry.hpp>
#include <cmath>
#include <cstddef>
#include <limits>

namespace cartwright::linear {
namespace {

std::size_t wrapped(long long cell, long long cells) {
  // NOLINTNEXTLINE(clang-analyzer-core.DivideZero): axes have cells
  return static_cast<std::size_t>((cell % cells + cells) % cells);
}

/// What the face on one side of a cell has for coefficients: of the neighbour, of the cell itself.
std::array<double, 2> face_coefficients(const AxisGeometry& axis, long long cell, int side) {
  const long long cells = axis.cells();
  const double width = axis.width[static_cast<std::size_t>(cell)];
  const long long next = cell + (side == 0 ? -1 : 1);
  if (next >= 0 && next < cells) {
    const double c = 2.0 / (width * (width + axis.width[static_cast<std::size_t>(next)]));
    return {c, c};
  }
  if (!axis.periodic()) return {0.0, axis.drop(side, width) / (width * width)};
  if (cells == 1) return {0.0, 0.0};  // its own neighbour
  const double c = 2.0 / (width * (width + axis.width[wrapped(next, cells)]));
  return {c, c};
}

/// Of the whole axis: all ranks go the same way, and get the same bits.
int factor_of(const AxisCoarsening& coarsening) {
  const auto cells = static_cast<long long>(coarsening.size()) - 1;
  if (coarsening.back() == cells) return 1;
  for (long long cell = 0; cell < cells; ++cell)
    if (coarsening[static_cast<std::size_t>(cell)] != 2 * cell) return 0;
  return 2;
}

}  // namespace

double AxisGeometry::drop(int side, double cell_width) const {
  const auto at = static_cast<std::size_t>(side);
  switch (walls[at]) {
    case Wall::value:
    case Wall::mixed:
      return 2.0;
    case Wall::robin:
      return robin[at] * cell_width / (1.0 + 0.5 * robin[at] * cell_width);
    case Wall::derivative:
    case Wall::none:
      break;
  }
  return 0.0;
}

double AxisGeometry::narrowest_pair() const {
  double narrowest = std::numeric_limits<double>::infinity();
  for (std::size_t cell = 0; cell + 1 < width.size(); ++cell)
    narrowest = std::min(narrowest, std::max(width[cell], width[cell + 1]));
  return narrowest;
}

AxisCoarsening AxisGeometry::coarsening(double widest) const {
  AxisCoarsening begin;
  for (std::size_t cell = 0; cell < width.size();) {
    begin.push_back(static_cast<long long>(cell));
    const bool joins =
        cell + 1 < width.size() && width[cell] <= widest && width[cell + 1] <= widest;
    cell += joins ? 2 : 1;
  }
  begin.push_back(cells());
  return begin;
}

AxisGeometry AxisGeometry::coarser(const AxisCoarsening& coarsening) const {
  AxisGeometry result;
  result.walls = walls;
  result.robin = robin;
  for (std::size_t cell = 0; cell + 1 < coarsening.size(); ++cell) {
    double sum = 0.0;
    for (long long fine = coarsening[cell]; fine < coarsening[cell + 1]; ++fine)
      sum += width[static_cast<std::size_t>(fine)];
    result.width.push_back(sum);
  }
  return result;
}

AxisCoefficients::AxisCoefficients(const AxisGeometry& axis, long long start, long long count) {
  for (long long cell = start; cell < start + count; ++cell) {
    const auto low = face_coefficients(axis, cell, 0);
    const auto high = face_coefficients(axis, cell, 1);
    lower.push_back(low[0]);
    upper.push_back(high[0]);
    lower_centre.push_back(low[1]);
    upper_centre.push_back(high[1]);
    centre.push_back(low[1] + high[1]);
  }
}

AxisTransfer::AxisTransfer(const AxisGeometry& axis, const AxisCoarsening& coarsening,
                           long long start, long long count, long long coarse_start) {
  const AxisGeometry coarse = axis.coarser(coarsening);
  const long long parents = coarse.cells();
  long long mine = std::ranges::upper_bound(coarsening, start) - coarsening.begin() - 1;
  for (long long cell = start; cell < start + count; ++cell) {
    if (coarsening[static_cast<std::size_t>(mine) + 1] == cell) ++mine;
    const long long begin = coarsening[static_cast<std::size_t>(mine)];
    const bool is_alone = coarsening[static_cast<std::size_t>(mine) + 1] == begin + 1;
    const int side = cell == begin ? 0 : 1;
    const long long next = mine + (side == 0 ? -1 : 1);
    parent.push_back(static_cast<int>(mine - coarse_start));
    neighbour.push_back(static_cast<int>((is_alone ? mine : next) - coarse_start));
    own.push_back(0.0);
    other.push_back(0.0);
    if (is_alone) continue;
    const double parent_width = coarse.width[static_cast<std::size_t>(mine)];
    // From the parent's middle to the cell's: half of the sibling.
    const double offset = 0.5 * (parent_width - axis.width[static_cast<std::size_t>(cell)]);
    const bool is_inside = next >= 0 && next < parents;
    if (is_inside || (axis.periodic() && parents > 1)) {
      const double distance = 0.5 * (parent_width + coarse.width[wrapped(next, parents)]);
      other.back() = offset / distance;
      own.back() = -other.back();
    } else if (axis.walls[static_cast<std::size_t>(side)] == Wall::mixed) {
      other.back() = offset / parent_width;  // the ghost's is as wide
      own.back() = -other.back();
    } else {
      neighbour.back() = parent.back();
      own.back() = -axis.drop(side, parent_width) * offset / parent_width;
    }
  }
}

AxisRestriction::AxisRestriction(const AxisGeometry& axis, const AxisCoarsening& coarsening,
                                 long long start, long long coarse_start, long long coarse_count)
    : factor(factor_of(coarsening)) {
  const auto size_of = [&](long long cell) {
    const auto at = static_cast<std::size_t>(cell);
    return coarsening[at + 1] - coarsening[at];
  };
  for (long long cell = coarse_start; cell < coarse_start + coarse_count; ++cell) {
    const auto fine = static_cast<std::size_t>(coarsening[static_cast<std::size_t>(cell)]);
    const bool has_two = size_of(cell) == 2;
    first.push_back(static_cast<int>(coarsening[static_cast<std::size_t>(cell)] - start));
    count.push_back(has_two ? 2 : 1);
    const double width = axis.width[fine] + (has_two ? axis.width[fine + 1] : 0.0);
    fraction.push_back(axis.width[fine] / width);
    second.push_back(has_two ? axis.width[fine + 1] / width : 0.0);
  }
}

WayFromWall way_from_wall(const AxisGeometry& narrow, const AxisGeometry& wide, int side) {
  const auto at = static_cast<std::size_t>(side);
  const bool is_low = side == 0, is_robin = narrow.walls[at] == Wall::robin;
  const double own = is_low ? narrow.width.front() : narrow.width.back();
  const double joined = is_low ? wide.width.front() : wide.width.back();
  return {is_robin && narrow.robin[at] > 0.0 ? 1.0 / narrow.robin[at] : 0.0, 0.5 * own,
          0.5 * (joined - own)};
}

}  // namespace cartwright::linear
