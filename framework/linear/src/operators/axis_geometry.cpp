// SPDX-License-Identifier: Apache-2.0
#include <cartwright/linear/operators/axis_geometry.hpp>
#include <cmath>
#include <cstddef>

namespace cartwright::linear {
namespace {

std::size_t wrapped(long long cell, long long cells) {
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

}  // namespace

double AxisGeometry::drop(int side, double cell_width) const {
  const auto at = static_cast<std::size_t>(side);
  switch (walls[at]) {
    case Wall::value:
      return 2.0;
    case Wall::robin:
      return robin[at] * cell_width / (1.0 + 0.5 * robin[at] * cell_width);
    case Wall::derivative:
    case Wall::none:
      break;
  }
  return 0.0;
}

AxisGeometry AxisGeometry::coarser() const {
  AxisGeometry result;
  result.walls = walls;
  result.robin = robin;
  for (std::size_t cell = 0; cell < width.size(); cell += 2)
    result.width.push_back(cell + 1 < width.size() ? width[cell] + width[cell + 1] : width[cell]);
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

AxisTransfer::AxisTransfer(const AxisGeometry& axis, int by, long long start, long long count,
                           long long coarse_start)
    : factor(by) {
  const AxisGeometry coarse = by == 2 ? axis.coarser() : axis;
  const long long parents = coarse.cells();
  for (long long cell = start; cell < start + count; ++cell) {
    const long long mine = cell / by;
    const bool is_alone = by == 1 || (cell % 2 == 0 && cell + 1 == axis.cells());
    const int side = cell % 2 == 0 ? 0 : 1;
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
    } else {
      neighbour.back() = parent.back();
      own.back() = -axis.drop(side, parent_width) * offset / parent_width;
    }
  }
}

AxisRestriction::AxisRestriction(const AxisGeometry& axis, int by, long long start,
                                 long long coarse_start, long long coarse_count)
    : factor(by) {
  for (long long cell = coarse_start; cell < coarse_start + coarse_count; ++cell) {
    const auto fine = static_cast<std::size_t>(cell * by);
    const bool has_two = by == 2 && fine + 1 < axis.width.size();
    first.push_back(static_cast<int>(cell * by - start));
    count.push_back(has_two ? 2 : 1);
    const double width = axis.width[fine] + (has_two ? axis.width[fine + 1] : 0.0);
    fraction.push_back(axis.width[fine] / width);
    second.push_back(has_two ? axis.width[fine + 1] / width : 0.0);
  }
}

}  // namespace cartwright::linear
