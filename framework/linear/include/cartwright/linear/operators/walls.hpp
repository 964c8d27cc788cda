// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/field/field.hpp>
#include <cartwright/linear/operators/level_operator.hpp>
#include <cartwright/rt/error.hpp>
#include <string>
#include <vector>

namespace cartwright::linear {

/// What a field's condition on a face is for corrections. Throws an input error (all ranks) for
/// those that have no form in coefficients.
template <int D>
[[nodiscard]] Wall wall_of(const Field<double, D>& u, grid::Face face) {
  using Kind = grid::BoundaryCondition::Kind;
  const grid::BoundaryCondition condition = u.boundary(face);
  const Kind kind = condition.kind_of(0);
  if (u.has_users_rule(face) || !condition.parts.empty() || kind == Kind::inflow)
    throw rt::input_error(
        "a Diffusion of '" + u.name() + "' can't have the condition on face " + face.name() +
            ": an inflow, parts of a face, or a rule of the program",
        "Give one value, derivative or Robin condition for the whole face, or write the operator "
        "as a Stencil.",
        rt::Reach::all_ranks);
  if (kind == Kind::robin) return Wall::robin;
  return kind == Kind::dirichlet ? Wall::value : Wall::derivative;
}

/// The cells along the axes of a field's grid, and what its boundary conditions are at their ends.
template <int D>
[[nodiscard]] Geometry<D> geometry_of(const Field<double, D>& u) {
  Geometry<D> geometry;
  const grid::GridBase& grid = u.grid();
  for (int axis = 0; axis < D; ++axis) {
    AxisGeometry& mine = geometry[static_cast<std::size_t>(axis)];
    for (long long cell = 0; cell < grid.extent(axis); ++cell)
      mine.width.push_back(grid.spacing(axis, cell));
    if (grid.periodic(axis)) continue;
    for (const grid::Side side : {grid::Side::low, grid::Side::high}) {
      mine.walls[static_cast<std::size_t>(side)] = wall_of(u, {axis, side});
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

/// A condition and those on parts of its face.
[[nodiscard]] inline std::vector<grid::BoundaryCondition*> all_of(grid::BoundaryCondition& whole) {
  std::vector<grid::BoundaryCondition*> all{&whole};
  for (grid::BoundaryCondition& part : whole.parts) all.push_back(&part);
  return all;
}

/// A further field on the grid of `u`, with the same kinds of boundary conditions, all 0: for
/// corrections of it.
template <int D>
[[nodiscard]] Field<double, D> correction_of(const Field<double, D>& u, const std::string& what) {
  Field<double, D> result(u.typed_grid(), u.name() + ": " + what, u.options());
  for (int number = 0; number < 2 * D; ++number) {
    const grid::Face face = grid::Face::from_number(number);
    grid::BoundaryCondition zero = u.boundary(face);
    for (grid::BoundaryCondition* const part : all_of(zero)) {
      part->value = {};
      part->uniform = 0.0;
    }
    result.set_boundary(face, zero);
  }
  return result;
}

}  // namespace cartwright::linear
