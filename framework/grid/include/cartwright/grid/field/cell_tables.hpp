// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cartwright/grid/kernels/number_row.hpp>
#include <cartwright/grid/space/grid_description.hpp>

namespace cartwright::grid {

/// Positions and widths along all axes of a stretched grid, where kernels run. All ranks have all
/// of them: these are rows of numbers, not fields.
class CellTables {
 public:
  /// Points beyond the ends that the tables know: halos are no wider.
  static constexpr int margin = 16;

  /// Of one axis and one kind of points; pointers are indexed by global numbers.
  struct Axis {
    const double* positions;
    const double* inverse_width;
    const double* inverse_step;
  };

  explicit CellTables(const GridDescription& grid);
  [[nodiscard]] Axis axis(int axis, Centring centring) const;

 private:
  struct Rows {
    NumberRow positions, inverse_width, inverse_step;
  };
  /// By axis and whether points are nodal.
  std::array<std::array<Rows, 2>, 3> rows_;
};

}  // namespace cartwright::grid
