// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/field/field.hpp>
#include <cartwright/grid/field/for_each.hpp>

namespace cartwright::linear {

/// to = from, on a rank's own points.
template <int D>
void copy(const grid::Field<double, D>& from, grid::Field<double, D>& to) {
  const auto in = from.view();
  const auto out = to.view();
  grid::for_each(
      to, KOKKOS_LAMBDA(const grid::Index<D>& i) { out(i) = in(i); });
}

}  // namespace cartwright::linear
