// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/field/field.hpp>
#include <cartwright/grid/field/for_each.hpp>
#include <cmath>

namespace cartwright::linear {

/// Of a field's points: their mean, and the root of the mean of their squares.
struct FieldMean {
  double value = 0.0, size = 0.0;
};

/// Collective.
template <int D>
[[nodiscard]] FieldMean mean_of(const grid::Field<double, D>& u) {
  grid::Vector<double, 2> sums{};
  const auto values = u.view();
  grid::reduce(
      u,
      KOKKOS_LAMBDA(const grid::Index<D>& i, grid::Vector<double, 2>& sum) {
        sum[0] += values(i);
        sum[1] += values(i) * values(i);
      },
      grid::Sum(sums));
  const auto points = static_cast<double>(u.block().global_points());
  return {sums[0] / points, std::sqrt(sums[1] / points)};
}

/// u -= number.
template <int D>
void subtract(grid::Field<double, D>& u, double number) {
  const auto values = u.view();
  grid::for_each(
      u, KOKKOS_LAMBDA(const grid::Index<D>& i) { values(i) -= number; });
}

}  // namespace cartwright::linear
