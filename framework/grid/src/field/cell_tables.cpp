// SPDX-License-Identifier: Apache-2.0
#include <cartwright/grid/field/cell_tables.hpp>

namespace cartwright::grid {
namespace {

/// `number(point)` for the points of an axis and those beyond its ends.
template <class Number>
NumberRow table_of(long long points, const Number& number) {
  constexpr int margin = CellTables::margin;
  std::vector<double> values;
  for (long long i = -margin; i < points + margin; ++i) values.push_back(number(i));
  NumberRow table;
  table.assign(values);
  return table;
}

}  // namespace

CellTables::CellTables(const GridDescription& grid) {
  for (int axis = 0; axis < grid.dimensions; ++axis)
    for (const bool nodal : {false, true}) {
      const Centring centring = nodal ? Centring::node : Centring::cell;
      const long long points = grid.extent[static_cast<std::size_t>(axis)] + 2;
      Rows& rows = rows_[static_cast<std::size_t>(axis)][nodal ? 1 : 0];
      const double mean = grid.spacing(axis);
      rows.positions =
          table_of(points, [&](long long i) { return grid.position(axis, centring, i); });
      rows.inverse_width = table_of(points, [&](long long i) {
        return 1.0 / (mean * grid.relative_width(axis, centring, i));
      });
      // From the middle of a cell to the next one is what is nearest to the edge between them.
      rows.inverse_step = table_of(points, [&](long long i) {
        const auto other = nodal ? grid.relative_width(axis, Centring::cell, i - 1)
                                 : grid.relative_width(axis, Centring::node, i);
        return 1.0 / (mean * other);
      });
    }
}

CellTables::Axis CellTables::axis(int axis, Centring centring) const {
  const Rows& rows = rows_[static_cast<std::size_t>(axis)][is_nodal(centring, axis) ? 1 : 0];
  return {rows.positions.data() + margin, rows.inverse_width.data() + margin,
          rows.inverse_step.data() + margin};
}

}  // namespace cartwright::grid
