// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/field/field.hpp>
#include <cartwright/linear/operators/level_operator.hpp>
#include <cartwright/linear/operators/mixed_walls.hpp>
#include <cartwright/rt/error.hpp>
#include <string>
#include <vector>

namespace cartwright::linear {

/// What a field's condition on a face is for corrections. Only an operator with a coefficient at
/// each face has mixed ones. Throws an input error (all ranks) for those that have no form in
/// coefficients.
template <int D>
[[nodiscard]] Wall wall_of(const Field<double, D>& u, grid::Face face, bool may_be_mixed) {
  using Kind = grid::BoundaryCondition::Kind;
  const grid::BoundaryCondition condition = u.boundary(face);
  const bool mixed = is_mixed(condition);
  if (u.has_users_rule(face) || (mixed && !may_be_mixed))
    throw rt::input_error(
        "a Diffusion of '" + u.name() + "' can't have the condition on face " + face.name() + ": " +
            (mixed ? "parts of different kinds, or an inflow, without a coefficient"
                   : "a rule of the program"),
        mixed ? "Give the operator a coefficient, be it a field of ones: Diffusion(u, a)."
              : "Give a condition by name, or write the operator as a Stencil.",
        rt::Reach::all_ranks);
  if (mixed) return Wall::mixed;
  const Kind kind = condition.kind_of(0);
  if (kind == Kind::robin) return Wall::robin;
  return kind == Kind::dirichlet ? Wall::value : Wall::derivative;
}

/// The cells along the axes of a field's grid, and what its boundary conditions are at their ends.
template <int D>
[[nodiscard]] Geometry<D> geometry_of(const Field<double, D>& u, bool may_be_mixed) {
  Geometry<D> geometry;
  const grid::GridBase& grid = u.grid();
  for (int axis = 0; axis < D; ++axis) {
    AxisGeometry& mine = geometry[static_cast<std::size_t>(axis)];
    for (long long cell = 0; cell < grid.extent(axis); ++cell)
      mine.width.push_back(grid.spacing(axis, cell));
    if (grid.periodic(axis)) continue;
    for (const grid::Side side : {grid::Side::low, grid::Side::high}) {
      mine.walls[static_cast<std::size_t>(side)] = wall_of(u, {axis, side}, may_be_mixed);
      mine.robin[static_cast<std::size_t>(side)] = u.boundary({axis, side}).coefficient;
    }
  }
  return geometry;
}

/// A further field on the grid of `u`, with the same boundary conditions: for right sides.
template <int D>
[[nodiscard]] Field<double, D> companion_of(const Field<double, D>& u, const std::string& what) {
  Field<double, D> result(u.typed_grid(), u.name() + ": " + what, u.options());
  for (int number = 0; number < 2 * D; ++number) {
    const grid::Face face = grid::Face::from_number(number);
    result.set_boundary(face, u.boundary(face));
  }
  return result;
}

/// A further field on the grid of `u`, with the same kinds of boundary conditions, all 0: for
/// corrections of it.
template <int D>
[[nodiscard]] Field<double, D> correction_of(const Field<double, D>& u, const std::string& what) {
  Field<double, D> result(u.typed_grid(), u.name() + ": " + what, u.options());
  for (int number = 0; number < 2 * D; ++number) {
    const grid::Face face = grid::Face::from_number(number);
    result.set_boundary(face, homogeneous(u.boundary(face)));
  }
  return result;
}

}  // namespace cartwright::linear
