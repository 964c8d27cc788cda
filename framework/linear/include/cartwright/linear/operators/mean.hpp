// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/field/field.hpp>
#include <cartwright/grid/field/for_each.hpp>
#include <cartwright/linear/operators/volumes.hpp>
#include <cmath>

namespace cartwright::linear {

/// Of a field's points: their mean, and the root of the mean of their squares; by the volumes of
/// cells, where these differ.
struct FieldMean {
  double value = 0.0, size = 0.0;
};

template <int D, class CellVolumes>
[[nodiscard]] FieldMean weighted_mean_of(const grid::Field<double, D>& u,
                                         const CellVolumes& volumes) {
  grid::Vector<double, 2> sums{};
  const auto values = u.view();
  grid::reduce(
      u,
      KOKKOS_LAMBDA(const grid::Index<D>& i, grid::Vector<double, 2>& sum) {
        sum[0] += volumes.weighted(values(i), i);
        sum[1] += volumes.weighted(values(i) * values(i), i);
      },
      grid::Sum(sums));
  const auto points = static_cast<double>(u.block().global_points());
  return {sums[0] / points, std::sqrt(sums[1] / points)};
}

/// Collective.
template <int D>
[[nodiscard]] FieldMean mean_of(const grid::Field<double, D>& u) {
  if (!u.grid().is_stretched()) return weighted_mean_of(u, EqualVolumes<D>{});
  const Volumes<D> volumes(u.typed_grid());
  return weighted_mean_of(u, volumes.stretched());
}

/// u -= number.
template <int D>
void subtract(grid::Field<double, D>& u, double number) {
  const auto values = u.view();
  grid::for_each(
      u, KOKKOS_LAMBDA(const grid::Index<D>& i) { values(i) -= number; });
}

}  // namespace cartwright::linear
