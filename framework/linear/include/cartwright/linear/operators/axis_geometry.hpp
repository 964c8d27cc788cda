// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

namespace cartwright::linear {

/// What holds at an end of an axis, for corrections: the value is 0, the derivative is 0, or the
/// derivative and so much times the value are (Robin). Mixed: it differs from place to place, which
/// is in the coefficients of faces; those here are as beside a value.
enum class Wall { none, value, derivative, robin, mixed };

/// Which cells of an axis a coarser one's consist of: cell c of those from begin[c] up to
/// begin[c + 1], one or two. One number more than there are coarse cells.
using AxisCoarsening = std::vector<long long>;

/// The cells of one axis of a whole grid, and how it ends. Computed alike on all ranks.
struct AxisGeometry {
  std::vector<double> width;
  std::array<Wall, 2> walls{Wall::none, Wall::none};  ///< none: periodic
  std::array<double, 2> robin{0.0, 0.0};              ///< the factor of the value, 1 / length

  /// A ghost of a cell so wide beyond this end is (1 - drop) times the cell.
  [[nodiscard]] double drop(int side, double cell_width) const;

  [[nodiscard]] bool periodic() const { return walls[0] == Wall::none; }
  [[nodiscard]] long long cells() const { return static_cast<long long>(width.size()); }
  /// Two neighbours become one wherever neither is wider than `widest`.
  [[nodiscard]] AxisCoarsening coarsening(double widest) const;
  /// The wider one of the two neighbours that are narrowest together; infinite for one cell.
  [[nodiscard]] double narrowest_pair() const;
  [[nodiscard]] AxisGeometry coarser(const AxisCoarsening& coarsening) const;
};

/// Of the cells of one rank's block, along one axis: -d/dx (d/dx) as
/// (centre u(i) - lower u(i-1) - upper u(i+1)), with lower and upper 0 at walls. The centre is
/// lower_centre + upper_centre: what each face contributes.
struct AxisCoefficients {
  AxisCoefficients() = default;
  AxisCoefficients(const AxisGeometry& axis, long long start, long long count);

  std::vector<double> lower, upper, lower_centre, upper_centre, centre;
};

/// How the cells of one rank's block, along one axis, are related to those of the next coarser
/// grid. Local numbers: `coarse_start` is the coarse cell that the coarse view has at 0.
struct AxisTransfer {
  AxisTransfer() = default;
  AxisTransfer(const AxisGeometry& axis, const AxisCoarsening& coarsening, long long start,
               long long count, long long coarse_start);

  std::vector<int> parent;     ///< the coarse cell that a cell lies in
  std::vector<int> neighbour;  ///< and the next one, on the cell's side
  /// Linear interpolation along the axis adds own * e(parent) + other * e(neighbour) to e(parent).
  std::vector<double> own, other;
};

/// The other way: the cells that a block's coarse cells consist of.
struct AxisRestriction {
  AxisRestriction() = default;
  AxisRestriction(const AxisGeometry& axis, const AxisCoarsening& coarsening, long long start,
                  long long coarse_start, long long coarse_count);

  int factor = 1;  ///< 2: all coarse cells, but for the last one, consist of two; 0: some do
  std::vector<int> first;        ///< local number of the first one; may lie in the ghosts
  std::vector<int> count;        ///< 1 or 2
  std::vector<double> fraction;  ///< of the coarse cell, that one or each of two takes…
  std::vector<double> second;    ///< …and the second
};

/// The way from a wall to the middle of a coarser grid's cell, as lengths: what a Robin condition
/// adds to it, up to the middle of the finer grid's cell, and on from there.
struct WayFromWall {
  double before, up_to, beyond;
};
[[nodiscard]] WayFromWall way_from_wall(const AxisGeometry& narrow, const AxisGeometry& wide,
                                        int side);

}  // namespace cartwright::linear
