// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/kernels/flux_sweep.hpp>
#include <cartwright/grid/space/cells.hpp>
#include <type_traits>

namespace cartwright::grid {

/// Two kernels of a finite volume scheme: see with_fluxes(). As a kernel of points it finds all
/// faces of a point, those that its neighbours find, too.
template <class FluxKernel, class UpdateKernel>
struct WithFluxes {
  FluxKernel flux;
  UpdateKernel update;

  template <class Point, class... Values>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Point& i, Values&... values) const {
    constexpr int dimensions = dimensions_of<Point>;
    Fluxes<ValueAt<FluxOf<FluxKernel, dimensions>, Point>, dimensions> fluxes;
#pragma GCC unroll 3  // so that the compiler knows which number is which
    for (int axis = 0; axis < dimensions; ++axis) {
      fluxes.low[axis] = flux(i, axis);
      fluxes.high[axis] = flux(i.shifted(axis, 1), axis);
    }
    update(i, fluxes, values...);
  }

  /// Says in one line what is wrong with one of the kernels; false then.
  template <int D, class... Values>
  [[nodiscard]] static constexpr bool fits() {
    constexpr bool has_fluxes = std::is_invocable_v<const FluxKernel&, const Index<D>&, int>;
    static_assert(has_fluxes,
                  "cartwright: the first kernel of with_fluxes takes a point of the field's grid "
                  "and an axis: KOKKOS_LAMBDA(cw::Index<D> i, int axis) { return ...; }");
    if constexpr (has_fluxes) {
      using Flux = FluxOf<FluxKernel, D>;
      constexpr bool are_numbers = ElementTraits<Flux>::are_numbers;
      static_assert(are_numbers,
                    "cartwright: a flux is a number or a Vector of numbers: let the first kernel "
                    "of with_fluxes return double, or cw::Vector<double, N>");
      if constexpr (are_numbers) {
        constexpr bool has_update = std::is_invocable_v<const UpdateKernel&, const Index<D>&,
                                                        const Fluxes<Flux, D>&, Values&...>;
        static_assert(has_update,
                      "cartwright: the second kernel of with_fluxes takes a point and its fluxes, "
                      "of the type that the first one returns: KOKKOS_LAMBDA(cw::Index<D> i, const "
                      "cw::Fluxes<double, D>& flux) { ... }");
        return has_update;
      }
    }
    return false;
  }

  /// Of the host: goes over `box` itself (see for_each_point).
  template <int D, class Prologue>
  void sweep(const Box<D>& box, const Prologue& prologue) const {
    sweep_with_fluxes<D>(box, flux, update, prologue);
  }
};

/// A kernel of a finite volume scheme: `exchange(u).overlap(with_fluxes(flux, update))`. What flows
/// across the face between two points is found once, and counts for both: half the work of a
/// kernel that looks at all faces of its point, and nothing is lost between points.
///
/// `flux(i, axis)`: a number, or a Vector of some, that crosses the face between point
/// `i.shifted(axis, -1)` and point i. For points beside the grid's owned ones it is asked, too: its
/// reach is that of the field's halo.
/// `update(i, fluxes)`: what becomes of point i; `fluxes.low[axis]` and `fluxes.high[axis]` are
/// those across its faces, `divergence(fluxes, u, i)` what they take away from it.
/// Both may be in_packs(). Neither may read what they write. On devices each point finds its own:
/// the same bits.
template <class FluxKernel, class UpdateKernel>
[[nodiscard]] WithFluxes<FluxKernel, UpdateKernel> with_fluxes(const FluxKernel& flux,
                                                               const UpdateKernel& update) {
  return {flux, update};
}

/// What a cell loses of what flows across its faces, in a unit of time and of volume: the sum over
/// the axes of (high - low) / width. `u`: a view of the field whose cells these are; see
/// with_fluxes(), also for packs of points.
template <class Flux, int D, class View, class Point, class Cells = EqualCells<D>>
KOKKOS_FORCEINLINE_FUNCTION Flux divergence(const Fluxes<Flux, D>& fluxes, const View& u,
                                            const Point& i, const Cells& cells = {}) {
  Flux sum = inverse_width(u, i, 0, cells) * (fluxes.high[0] - fluxes.low[0]);
#pragma GCC unroll 2  // so that the compiler knows which number is which
  for (int axis = 1; axis < D; ++axis)
    sum += inverse_width(u, i, axis, cells) * (fluxes.high[axis] - fluxes.low[axis]);
  return sum;
}

}  // namespace cartwright::grid
