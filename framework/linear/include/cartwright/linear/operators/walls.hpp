// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/field/field.hpp>
#include <cartwright/linear/operators/level_operator.hpp>
#include <cartwright/rt/error.hpp>
#include <string>

namespace cartwright::linear {

/// What holds on a face; throws an input error where operators don't know it.
template <int D>
[[nodiscard]] grid::BoundaryCondition::Kind wall_kind(const Field<double, D>& u, grid::Face face) {
  using Kind = grid::BoundaryCondition::Kind;
  const Kind kind = u.boundary(face).kind;
  if (u.has_parts(face) || (kind != Kind::dirichlet && kind != Kind::neumann))
    throw rt::input_error("'boundary." + u.name() + "." + face.name() +
                              "': linear solvers know dirichlet and neumann, on whole faces",
                          "Give one of them.", rt::Reach::all_ranks);
  return kind;
}

/// The cells along the axes of a field's grid, and what its boundary conditions are at their ends.
template <int D>
[[nodiscard]] Geometry<D> geometry_of(const Field<double, D>& u) {
  Geometry<D> geometry;
  const grid::GridBase& grid = u.grid();
  for (int axis = 0; axis < D; ++axis) {
    AxisGeometry& mine = geometry[static_cast<std::size_t>(axis)];
    mine.width.assign(static_cast<std::size_t>(grid.extent(axis)), grid.spacing(axis));
    if (grid.periodic(axis)) continue;
    for (const grid::Side side : {grid::Side::low, grid::Side::high}) {
      if (u.has_users_rule({axis, side}))
        throw rt::input_error("a Diffusion can't know what the rule of '" + u.name() +
                                  "' on face " + grid::Face{axis, side}.name() + " means",
                              "Set a BoundaryCondition there, or write the operator as a Stencil.",
                              rt::Reach::all_ranks);
      mine.walls[static_cast<std::size_t>(side)] =
          wall_kind(u, {axis, side}) == grid::BoundaryCondition::Kind::dirichlet ? Wall::value
                                                                                 : Wall::derivative;
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
    grid::BoundaryCondition zero;
    zero.kind = u.boundary(face).kind;
    result.set_boundary(face, zero);
  }
  return result;
}

}  // namespace cartwright::linear
