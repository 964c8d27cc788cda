// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cartwright/grid/exchange/exchange.hpp>
#include <cartwright/grid/field/field.hpp>
#include <cartwright/grid/kernels/number_row.hpp>
#include <cartwright/linear/operators/axis_geometry.hpp>
#include <cartwright/linear/operators/copy.hpp>
#include <cartwright/linear/operators/diffusion_kernel.hpp>
#include <memory>
#include <utility>
#include <vector>

namespace cartwright::linear {

using grid::Box;
using grid::Field;
using grid::Grid;

template <int D>
using Geometry = std::array<AxisGeometry, static_cast<std::size_t>(D)>;

/// The operator factor * -div(a grad u) + reaction * u on one grid of a hierarchy.
template <int D, bool variable>
class LevelOperator {
 public:
  using Kernel = DiffusionKernel<D, variable>;

  /// Collective where the coefficient varies: it has one field for each axis, and one of cells.
  LevelOperator(Grid<D>& grid, Geometry<D> geometry) : geometry_(std::move(geometry)) {
    block_ = grid.block(grid::Centring::cell);
    if constexpr (!variable) return;
    for (int number = 0; number <= D + (has_mixed_walls() ? 1 : 0); ++number) {
      fields_.push_back(std::make_unique<Field<double, D>>(grid, "multigrid: coefficient",
                                                           grid::FieldOptions{.corners = true}));
      for (int face = 0; face < 2 * D; ++face)
        fields_.back()->set_boundary(grid::Face::from_number(face),
                                     grid::BoundaryCondition::neumann(0.0));
    }
  }

  [[nodiscard]] const Geometry<D>& geometry() const { return geometry_; }
  /// Coefficients of the faces below the cells along `axis`; of the cells themselves.
  [[nodiscard]] Field<double, D>& faces(int axis) {
    return *fields_[static_cast<std::size_t>(axis)];
  }
  [[nodiscard]] Field<double, D>& cells() const { return *fields_[D]; }
  [[nodiscard]] bool is_mixed_at(grid::Face face) const {
    return geometry_[static_cast<std::size_t>(face.axis)]
               .walls[static_cast<std::size_t>(face.side)] == Wall::mixed;
  }
  [[nodiscard]] bool has_mixed_walls() const {
    return std::ranges::any_of(geometry_, [](const AxisGeometry& axis) {
      return std::ranges::find(axis.walls, Wall::mixed) != axis.walls.end();
    });
  }
  /// Where walls are mixed: its ghosts beyond these are what a ghost of a correction is as a
  /// multiple of the cell inside.
  [[nodiscard]] Field<double, D>& mirrors() { return *fields_[D + 1]; }

  void set(double factor, double reaction) {
    reaction_ = reaction;
    for (int axis = 0; axis < D; ++axis) {
      const auto a = static_cast<std::size_t>(axis);
      AxisCoefficients& c = coefficients_[a];
      c = AxisCoefficients(geometry_[a], block_.start[a], block_.count[a]);
      std::size_t number = 0;
      for (auto* values : {&c.lower, &c.upper, &c.lower_centre, &c.upper_centre, &c.centre}) {
        for (double& value : *values) value *= factor;
        where_kernels_run_[a][number++].assign(*values);
      }
    }
    find_alike();
  }
  [[nodiscard]] Kernel kernel() const {
    Kernel kernel;
    for (int axis = 0; axis < D; ++axis) {
      const auto& c = where_kernels_run_[static_cast<std::size_t>(axis)];
      kernel.axis[axis] = {c[0].data(), c[1].data(), c[2].data(), c[3].data(), c[4].data()};
      if constexpr (variable)
        kernel.face[axis] = fields_[static_cast<std::size_t>(axis)]->view().reading();
    }
    kernel.alike_begin = alike_[0];
    kernel.alike_end = alike_[1];
    kernel.reaction = reaction_;
    return kernel;
  }

 private:
  /// Most cells of a row: all but those at walls, and the last one where their number is odd.
  void find_alike() {
    const AxisCoefficients& x = coefficients_[0];
    const std::size_t count = x.centre.size(), middle = count / 2;
    const auto is_alike = [&](std::size_t i) {
      return std::ranges::all_of(
          std::array{&x.lower, &x.upper, &x.lower_centre, &x.upper_centre, &x.centre},
          [=](const auto* values) { return (*values)[i] == (*values)[middle]; });
    };
    std::size_t begin = middle, end = middle;
    while (begin > 0 && is_alike(begin - 1)) --begin;
    while (end < count && is_alike(end)) ++end;
    alike_ = {static_cast<int>(begin), static_cast<int>(end)};
  }

  Geometry<D> geometry_;
  grid::Block block_;
  std::array<int, 2> alike_{0, 0};
  std::array<AxisCoefficients, static_cast<std::size_t>(D)> coefficients_;
  /// In the order of AxisCoefficients' members.
  std::array<std::array<grid::NumberRow, 5>, static_cast<std::size_t>(D)> where_kernels_run_;
  double reaction_ = 0.0;
  std::vector<std::unique_ptr<Field<double, D>>> fields_;
};

/// The coefficient on a wall: that of the cell there or, where `extrapolate`, what follows linearly
/// from the two cells next to the wall. Trivially copyable, for kernels.
template <int D>
class WallCoefficient {
 public:
  WallCoefficient(const LevelOperator<D, true>& level, grid::Face face, bool extrapolate)
      : cells_(level.cells().view().reading()), axis_(face.axis), inward_(face.is_low() ? 1 : -1) {
    has_two_ = extrapolate && level.cells().grid().extent(axis_) > 1;
    const auto& width = level.geometry()[static_cast<std::size_t>(axis_)].width;
    const std::size_t last = width.size() - 1;
    const double own = face.is_low() ? width[0] : width[last];
    const double next = !has_two_ ? own : face.is_low() ? width[1] : width[last - 1];
    slope_ = own / (own + next);  // half a cell, by the way between the two middles
  }
  KOKKOS_INLINE_FUNCTION double operator()(const Index<D>& cell) const {
    const double a = cells_(cell);
    const double linear =
        has_two_ ? (1.0 + slope_) * a - slope_ * cells_(cell.shifted(axis_, inward_)) : a;
    return linear > 0.0 ? linear : a;
  }

 private:
  FieldView<const double, D> cells_;
  int axis_, inward_;
  bool has_two_;
  double slope_;
};

/// Sets the coefficients of the faces on a wall.
template <int D>
void set_wall_faces(LevelOperator<D, true>& level, grid::Face face, bool extrapolate) {
  Grid<D>& grid = level.cells().typed_grid();
  if (!grid.is_boundary(face)) return;
  const int axis = face.axis;
  Field<double, D>& field = level.faces(axis);
  const int at = face.is_low() ? 0 : field.layout().extent[axis];
  const int inside = face.is_low() ? 0 : -1;
  const WallCoefficient<D> coefficient(level, face, extrapolate);
  const auto faces = field.view();
  grid::for_each_point<D>(
      field.owned().with(axis, at, at + 1),
      KOKKOS_LAMBDA(const Index<D>& i) { faces(i) = coefficient(i.shifted(axis, inside)); });
}

/// Multiplies those on a mixed wall by the share of the coefficient beside a value: 1 where one is
/// given, 0 where a derivative is.
template <int D>
void apply_mirrors(LevelOperator<D, true>& level, grid::Face face) {
  if (!level.is_mixed_at(face) || !level.cells().grid().is_boundary(face)) return;
  const int axis = face.axis, beyond = face.is_low() ? -1 : 0;
  Field<double, D>& field = level.faces(axis);
  const int at = face.is_low() ? 0 : field.layout().extent[axis];
  const auto mirrors = level.mirrors().view().reading();
  const auto faces = field.view();
  grid::for_each_point<D>(
      field.owned().with(axis, at, at + 1), KOKKOS_LAMBDA(const Index<D>& i) {
        faces(i) *= 0.5 * (1.0 - mirrors(i.shifted(axis, beyond)));
      });
}

/// Collective. Sets those on walls, and exchanges the others. Of a finest grid, from its cells; of
/// coarser ones only those on mixed walls, from means of cells (see coarsen_coefficient()).
template <int D>
void complete_faces(LevelOperator<D, true>& level, bool is_finest) {
  const auto set_wall = [&](grid::Face face) {
    if (!is_finest && !level.is_mixed_at(face)) return;
    set_wall_faces(level, face, is_finest);
    apply_mirrors(level, face);
  };
  for (int axis = 0; axis < D; ++axis) {
    set_wall({axis, grid::Side::low});
    grid::exchange(level.faces(axis)).wait();
    set_wall({axis, grid::Side::high});  // these lie in ghosts
  }
}

/// The points of `box` next to a face, inside.
template <int D>
[[nodiscard]] Box<D> inside_of(grid::Face face, const Box<D>& box, const grid::Layout<D>& layout) {
  const int at = face.is_low() ? 0 : layout.extent[face.axis] - 1;
  return box.with(face.axis, at, at + 1);
}

/// Collective. To the cells beside a wall, what a coarser grid's wall has before each of them:
/// behind each other its parts resist as the finer grid's. Other cells keep what they have. A mean
/// of the cells there would not do: what lies behind a jump within one of them would conduct to the
/// wall. Where what is at the wall conducts better than what is behind it, it counts alone: what is
/// left of the better one would else be taken for the worse one's, and grow.
template <int D>
void find_coarser_wall(LevelOperator<D, true>& level, grid::Face face, const WayFromWall& way,
                       Field<double, D>& beside) {
  if (beside.grid().is_boundary(face)) {
    const auto faces = level.faces(face.axis).view().reading();
    const auto to = beside.view();
    const int axis = face.axis, wall = face.is_low() ? 0 : 1, inner = 1 - wall;
    const double all = way.before + way.up_to + way.beyond;
    grid::for_each_point<D>(
        inside_of(face, beside.owned(), beside.layout()), KOKKOS_LAMBDA(const Index<D>& i) {
          const double at_wall = faces(i.shifted(axis, wall));
          const double behind = way.beyond > 0.0 ? way.beyond / faces(i.shifted(axis, inner)) : 0.0;
          const double together = all / ((way.before + way.up_to) / at_wall + behind);
          to(i) = together > at_wall ? together : at_wall;
        });
  }
  grid::exchange(beside).wait();
}

/// The faces on a wall from the cells beside it.
template <int D>
void set_wall_from_beside(LevelOperator<D, true>& level, grid::Face face,
                          const Field<double, D>& beside) {
  if (!beside.grid().is_boundary(face)) return;
  const auto from = beside.view();
  const auto faces = level.faces(face.axis).view();
  const int axis = face.axis, wall = face.is_low() ? 0 : 1;
  grid::for_each_point<D>(
      inside_of(face, beside.owned(), beside.layout()),
      KOKKOS_LAMBDA(const Index<D>& i) { faces(i.shifted(axis, wall)) = from(i); });
}

}  // namespace cartwright::linear
