// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cartwright/grid/exchange/exchange.hpp>
#include <cartwright/grid/field/field.hpp>
#include <cartwright/linear/operators/level_operator.hpp>
#include <vector>

namespace cartwright::linear {

/// A condition and those on parts of its face.
[[nodiscard]] inline std::vector<grid::BoundaryCondition*> all_of(grid::BoundaryCondition& whole) {
  std::vector<grid::BoundaryCondition*> all{&whole};
  for (grid::BoundaryCondition& part : whole.parts) all.push_back(&part);
  return all;
}

/// The same kinds, with 0 for what is given: for corrections.
[[nodiscard]] inline grid::BoundaryCondition homogeneous(grid::BoundaryCondition condition) {
  for (grid::BoundaryCondition* const part : all_of(condition)) {
    part->value = {};
    part->uniform = 0.0;
  }
  return condition;
}

/// Whether what a condition adds to coefficients differs from place to place, or isn't that of a
/// value, a derivative or both.
[[nodiscard]] inline bool is_mixed(grid::BoundaryCondition condition) {
  const auto all = all_of(condition);
  return std::ranges::any_of(all, [&](const grid::BoundaryCondition* part) {
    return part->kind_of(0) != condition.kind_of(0) || part->coefficient != condition.coefficient ||
           part->kind_of(0) == grid::BoundaryCondition::Kind::inflow;
  });
}

/// Collective. The mirrors of an operator for corrections of `u`, where walls are mixed: of a field
/// that is 1 inside, a ghost is -1 beyond a value and 1 beyond a derivative.
template <int D>
void set_mirrors(LevelOperator<D, true>& level, const Field<double, D>& u) {
  if (!level.has_mixed_walls()) return;
  Field<double, D>& mirrors = level.mirrors();
  for (int number = 0; number < 2 * D; ++number) {
    const grid::Face face = grid::Face::from_number(number);
    mirrors.set_boundary(face, homogeneous(u.boundary(face)));
  }
  grid::set_all(mirrors.view(), mirrors.owned(), 1.0);
  grid::exchange(mirrors).wait();
}

/// Collective. Whether parts of walls that are mixed have derivatives only, wherever cells are:
/// others hold nowhere.
template <int D>
[[nodiscard]] bool are_closed(LevelOperator<D, true>& level) {
  double most = 0.0;
  for (int number = 0; number < 2 * D; ++number) {
    const grid::Face face = grid::Face::from_number(number);
    if (!level.is_mixed_at(face)) continue;
    Field<double, D>& field = level.mirrors();
    const auto mirrors = field.view().reading();
    const bool is_here = field.grid().is_boundary(face);
    const int axis = face.axis, outward = face.is_low() ? -1 : 1;
    const int at = face.is_low() ? 0 : field.layout().extent[axis] - 1;
    double open = 0.0;
    grid::reduce(
        field,
        KOKKOS_LAMBDA(const Index<D>& i, double& high) {
          if (!is_here || i[axis] != at) return;
          const double share = 1.0 - mirrors(i.shifted(axis, outward));
          if (share > high) high = share;
        },
        grid::Max(open));
    most = std::max(most, open);
  }
  return most == 0.0;
}

/// Collective. Cells beside a mixed face get the wall's share: 1 where a value is given, 0 where a
/// derivative is.
template <int D>
void find_shares(LevelOperator<D, true>& level, grid::Face face, Field<double, D>& shares) {
  if (level.cells().grid().is_boundary(face)) {
    const auto mirrors = level.mirrors().view().reading();
    const auto to = shares.view();
    const int axis = face.axis, outward = face.is_low() ? -1 : 1;
    grid::for_each_point<D>(
        inside_of(face, shares.owned(), shares.layout()), KOKKOS_LAMBDA(const Index<D>& i) {
          to(i) = 0.5 * (1.0 - mirrors(i.shifted(axis, outward)));
        });
  }
  grid::exchange(shares).wait();
}

/// Collective. Mirrors beyond a face from the shares of the cells beside it, as means over those
/// of a finer grid. Cells are `ratio` times as wide as there across the face: what is more of the
/// way to the wall resists in series with the wall. Along the face ghosts have what is next to
/// them, so that the wall goes on around corners.
template <int D>
void set_mirrors(LevelOperator<D, true>& level, grid::Face face, double ratio,
                 Field<double, D>& shares) {
  grid::exchange(shares).wait();
  if (!shares.grid().is_boundary(face)) return;
  const auto from = shares.view().reading();
  const auto mirrors = level.mirrors().view();
  const int axis = face.axis, outward = face.is_low() ? -1 : 1;
  grid::for_each_point<D>(
      inside_of(face, shares.layout().with_ghosts(), shares.layout()),
      KOKKOS_LAMBDA(const Index<D>& i) {
        const double share = from(i);
        mirrors(i.shifted(axis, outward)) =
            1.0 - 2.0 * (ratio * share / (1.0 - share + ratio * share));
      });
}

/// Ghosts of `correction` beyond mixed walls follow from the operator's mirrors; beyond others they
/// don't matter.
template <int D>
void use_mirrors(LevelOperator<D, true>& level, Field<double, D>& correction) {
  for (int number = 0; number < 2 * D; ++number) {
    const grid::Face face = grid::Face::from_number(number);
    if (!level.is_mixed_at(face)) continue;
    const auto mirrors = level.mirrors().view().reading();
    const int axis = face.axis, inward = face.is_low() ? 1 : -1;
    correction.set_boundary(
        face, KOKKOS_LAMBDA(const FieldView<double, D>& u, const Index<D>& i,
                            const grid::Vector<double, D>&,
                            double) { return mirrors(i) * u(i.shifted(axis, inward)); });
  }
}

}  // namespace cartwright::linear
