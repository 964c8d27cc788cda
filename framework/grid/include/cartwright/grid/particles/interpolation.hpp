// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cartwright/grid/field/field.hpp>
#include <cartwright/grid/field/field_view.hpp>
#include <cartwright/grid/particles/particle_view.hpp>
#include <cartwright/grid/space/coordinates.hpp>
#include <cartwright/rt/error.hpp>
#include <cmath>

namespace cartwright::grid {

/// A field between its points, linear along each axis: `const cw::Interpolation wind(velocity);`,
/// and in a kernel of particles `wind(x, p)`, x their positions. Exact for what is linear in each
/// coordinate; the same bits on any number of ranks.
///
/// For fields on the host, of equal cells, made with `.corners = true`; their ghosts must have been
/// exchanged. Of a place that this rank's points don't surround the nearest one counts: particles
/// must have migrated.
template <class T, int D>
class Interpolation {
 public:
  using Element = ElementOf<T>;

  /// Throws an input error (all ranks) where cells are stretched, an internal failure for a field
  /// without corners. Valid as views are.
  explicit Interpolation(const Field<T, D>& field)
      : view_(field.view()), places_(field.coordinates()) {
    if (D > 1 && !field.options().corners)
      throw rt::internal_failure(
          "'" + field.name() + "' is interpolated, but has no ghosts at corners",
          "Make the field with {.corners = true}.", rt::Reach::all_ranks);
    const Block mine = field.block();
    for (int axis = 0; axis < D; ++axis) {
      (void)field.grid().spacing(axis);
      extent_[axis] = static_cast<int>(mine.count[static_cast<std::size_t>(axis)]);
    }
  }

  [[nodiscard]] Element operator()(const ParticleView& positions, std::ptrdiff_t particle) const {
    Index<D> low{};
    double part[D];
    for (int axis = 0; axis < D; ++axis) {
      const double place =
          (positions(particle, axis) - places_.origin[axis]) / places_.spacing[axis] -
          places_.shift[axis];
      const double below = std::floor(place);
      const double local = below - static_cast<double>(places_.start[axis]);
      low[axis] = static_cast<int>(std::clamp(local, -1.0, extent_[axis] - 1.0));
      part[axis] =
          local >= -1.0 && local <= extent_[axis] - 1.0 ? place - below : (local < 0.0 ? 0.0 : 1.0);
    }
    Element sum{};
    for (int corner = 0; corner < 1 << D; ++corner) {
      Index<D> i = low;
      double weight = 1.0;
      for (int axis = 0; axis < D; ++axis) {
        const bool is_upper = (corner >> axis & 1) != 0;
        i[axis] += is_upper ? 1 : 0;
        weight *= is_upper ? part[axis] : 1.0 - part[axis];
      }
      sum = sum + weight * view_(i);
    }
    return sum;
  }

 private:
  FieldView<const T, D> view_;
  Coordinates<D> places_;
  int extent_[D]{};
};

}  // namespace cartwright::grid
