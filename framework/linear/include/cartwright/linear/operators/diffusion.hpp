// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/exchange/exchange.hpp>
#include <cartwright/grid/field/field.hpp>
#include <cartwright/grid/field/for_each.hpp>
#include <cartwright/linear/operators/coefficient.hpp>
#include <cartwright/linear/operators/level_operator.hpp>
#include <cartwright/linear/operators/mean.hpp>
#include <cartwright/linear/operators/walls.hpp>
#include <cartwright/rt/error.hpp>
#include <cmath>
#include <string>

namespace cartwright::linear {

/// What the cell below point i counts at the face between the two.
template <int D>
[[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION double share_below(const Index<D>& /*i*/, int /*axis*/,
                                                             const grid::EqualCells<D>& /*cells*/) {
  return 0.5;
}
template <int D>
[[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION double share_below(const Index<D>& i, int axis,
                                                             const grid::StretchedCells<D>& cells) {
  return cells.share_below(i, axis);
}

/// How the coefficient of a face comes from those of its two cells.
enum class Mean { harmonic, arithmetic };

struct DiffusionOptions {
  double factor = 1.0;    ///< of the part with derivatives
  double reaction = 0.0;  ///< at least 0
  Mean mean = Mean::harmonic;
};

/// A u = -factor div(a grad u) + reaction u, cell-centred, of second order, also where cells are
/// stretched; a is 1, or a field. The boundary conditions are those of the field that it is made
/// for: values and derivatives may differ from place to place; where a is a field so may the kinds
/// of conditions, by parts of faces. Matrix-free; the operator of all solvers here, multigrid
/// included.
template <int D, bool variable>
class Diffusion {
 public:
  static constexpr int dimensions = D;
  using Level = LevelOperator<D, variable>;
  using Kernel = typename Level::Kernel;

  explicit Diffusion(Field<double, D>& u, DiffusionOptions options = {}) requires(!variable)
      : Diffusion(u, options, 0) {}
  /// Collective. `a` is above 0 and finite everywhere; it is read here, and exchanged.
  Diffusion(Field<double, D>& u, Field<double, D>& a,
            DiffusionOptions options = {}) requires(variable)
      : Diffusion(u, options, 0) {
    set_coefficient(a);
  }

  [[nodiscard]] Grid<D>& grid() const { return *grid_; }
  [[nodiscard]] const DiffusionOptions& options() const { return options_; }
  /// For implicit steps: another factor and reaction; what has been made for the operator follows.
  void set(double factor, double reaction) {
    options_.factor = factor;
    options_.reaction = reaction;
    level_.set(factor, reaction);
    ++version_;
  }
  /// Collective: another coefficient.
  void set_coefficient(Field<double, D>& a) requires(variable);
  [[nodiscard]] long long version() const { return version_; }
  [[nodiscard]] Level& level() { return level_; }
  [[nodiscard]] Kernel kernel() const { return level_.kernel(); }
  /// What its kernel reads where v is multiplied.
  [[nodiscard]] static Field<double, D>& seen(Field<double, D>& v) { return v; }
  /// What multigrid is made for.
  [[nodiscard]] Diffusion& diffusion() { return *this; }
  /// Constants are in its kernel: a solution is known but for its mean.
  [[nodiscard]] bool is_singular() const {
    if (options_.reaction != 0.0) return false;
    for (const AxisGeometry& axis : level_.geometry())
      for (const std::size_t side : {0, 1})
        if (axis.walls[side] == Wall::mixed ? !mixed_are_closed_
                                            : axis.drop(static_cast<int>(side), 1.0) != 0.0)
          return false;
    return true;
  }
  // Public: nvcc takes no kernels from private functions.
  template <class Cells>
  void set_faces(int axis, const FieldView<double, D>& cells,
                 const Cells& widths) requires(variable);

  /// b = f, and what the boundary conditions of b add to it: those of the solution, at `time`.
  /// Without its mean if the operator is singular; throws an input error if that is far from 0.
  void right_side(Field<double, D>& b, const Field<double, D>& f, double time) const;

 private:
  Diffusion(Field<double, D>& u, const DiffusionOptions& options, int tag);
  /// `name`: that of the right side that b has been made of.
  void remove_mean_of(Field<double, D>& b, const std::string& name) const;

  Grid<D>* grid_;
  DiffusionOptions options_;
  Level level_;
  long long version_ = 0;
  bool mixed_are_closed_ = false;
};

template <int D>
Diffusion(Field<double, D>&) -> Diffusion<D, false>;
template <int D>
Diffusion(Field<double, D>&, DiffusionOptions) -> Diffusion<D, false>;
template <int D>
Diffusion(Field<double, D>&, Field<double, D>&) -> Diffusion<D, true>;
template <int D>
Diffusion(Field<double, D>&, Field<double, D>&, DiffusionOptions) -> Diffusion<D, true>;

template <int D, bool variable>
Diffusion<D, variable>::Diffusion(Field<double, D>& u, const DiffusionOptions& options, int /*tag*/)
    : grid_(&u.typed_grid()), options_(options), level_(*grid_, geometry_of(u, variable)) {
  if (u.centring() != grid::Centring::cell)
    throw rt::internal_failure("a Diffusion of the nodal field '" + u.name() + "'",
                               "Make the field cell-centred.", rt::Reach::all_ranks);
  if (!(options.reaction >= 0.0 && options.factor > 0.0))
    throw rt::input_error("a Diffusion has a factor above 0 and a reaction of at least 0", {},
                          rt::Reach::all_ranks);
  level_.set(options.factor, options.reaction);
  if constexpr (variable) {
    set_mirrors(level_, u);
    mixed_are_closed_ = are_closed(level_);
  }
}

template <int D, bool variable>
void Diffusion<D, variable>::set_coefficient(Field<double, D>& a) requires(variable) {
  double least = 0.0;
  const auto given = a.view();
  grid::reduce(
      a,
      KOKKOS_LAMBDA(const Index<D>& i, double& low) {
        const double value = given(i), nothing = value - value;  // no number if it isn't finite
        grid::Min<double>::join(low, nothing == 0.0 ? value : nothing);
      },
      grid::Min(least));
  if (!(least > 0.0)) refuse_coefficient(a, least);
  copy(a, level_.cells());
  const auto cells = level_.cells().view();
  grid::exchange(level_.cells()).wait();
  for (int axis = 0; axis < D; ++axis) {
    if (grid_->is_stretched())
      set_faces(axis, cells, grid_->stretched_cells(grid::Centring::cell));
    else
      set_faces(axis, cells, grid::EqualCells<D>{});
  }
  complete_faces(level_, true);
  ++version_;
}

template <int D, bool variable>
template <class Cells>
void Diffusion<D, variable>::set_faces(int axis, const FieldView<double, D>& cells,
                                       const Cells& widths) requires(variable) {
  const bool harmonic = options_.mean == Mean::harmonic;
  const auto faces = level_.faces(axis).view();
  grid::for_each(
      level_.faces(axis), KOKKOS_LAMBDA(const Index<D>& i) {
        const double low = cells(i.shifted(axis, -1)), high = cells(i);
        const double below = share_below(i, axis, widths);
        // In a harmonic mean each resistance counts with its own half of the way.
        faces(i) = harmonic ? low * high / (below * low + (1.0 - below) * high)
                            : below * low + (1.0 - below) * high;
      });
}

template <int D, bool variable>
void Diffusion<D, variable>::right_side(Field<double, D>& b, const Field<double, D>& f,
                                        double time) const {
  const auto to = b.view();
  grid::set_all(to, b.owned(), 0.0);
  grid::exchange(b)
      .at(time)
      .wait();  // beyond a wall: twice the value, or the derivative times the spacing
  copy(f, b);
  for (int number = 0; number < 2 * D; ++number) {
    const grid::Face face = grid::Face::from_number(number);
    if (!grid_->is_boundary(face)) continue;
    const int axis = face.axis;
    const int at = face.is_low() ? 0 : b.layout().extent[axis] - 1;
    const int outward = face.is_low() ? -1 : 1;
    const auto& widths = level_.geometry()[static_cast<std::size_t>(axis)].width;
    const double width = face.is_low() ? widths.front() : widths.back();
    const double scale = options_.factor / (width * width);
    const Box<D> at_wall = b.owned().with(axis, at, at + 1);
    if constexpr (variable) {
      const WallCoefficient<D> coefficient(level_, face, true);
      grid::for_each_point<D>(
          at_wall, KOKKOS_LAMBDA(const Index<D>& i) {
            to(i) += scale * coefficient(i) * to(i.shifted(axis, outward));
          });
    } else {
      grid::for_each_point<D>(
          at_wall,
          KOKKOS_LAMBDA(const Index<D>& i) { to(i) += scale * to(i.shifted(axis, outward)); });
    }
  }
  if (is_singular()) remove_mean_of(b, f.name());
}

template <int D, bool variable>
void Diffusion<D, variable>::remove_mean_of(Field<double, D>& b, const std::string& name) const {
  constexpr double most = 0.05;  // discretised, what fits is off by some h²
  const FieldMean mean = mean_of(b);
  bool has_faces = false;
  for (int axis = 0; axis < D; ++axis) has_faces = has_faces || !grid_->periodic(axis);
  if (std::abs(mean.value) > most * mean.size)
    throw rt::input_error(
        "the linear system with the right side '" + name + "' has no solution: " +
            (has_faces ? "at the boundary only derivatives are given, and what flows in there and "
                         "comes from the right side is "
                       : "the grid is periodic, and the right side is ") +
            std::to_string(mean.value) +
            " a cell on average instead of 0 (its root mean square is " +
            std::to_string(mean.size) + ")",
        has_faces ? "Make right side and boundary fit together, or give a value on some face."
                  : "Subtract its mean, as a background of charges does.",
        rt::Reach::all_ranks);
  subtract(b, mean.value);
}

// Compiled once, in src/diffusion_solvers_*.cpp.
extern template class Diffusion<1, false>;
extern template class Diffusion<2, false>;
extern template class Diffusion<3, false>;
extern template class Diffusion<1, true>;
extern template class Diffusion<2, true>;
extern template class Diffusion<3, true>;

}  // namespace cartwright::linear
