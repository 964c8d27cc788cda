// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/kernels/flux_rows.hpp>
#include <cartwright/grid/kernels/flux_tiles.hpp>
#include <cartwright/grid/kernels/parts.hpp>

namespace cartwright::grid {

/// The fluxes across the low faces along `axis` of the points from `first` up to `end`.
template <int axis, class Flux, int D, class FluxKernel>
[[gnu::flatten]] inline void set_fluxes(const FluxKernel& kernel, const Index<D>& first,
                                        const int end, const FluxRow<Flux>& row) {
  const FluxKernel local = kernel;  // in registers; see run_row
  for_points_of_row<PackLength::vector>(
      local, first, end, [&](const auto& i) { row.set(i, i[0] - first[0], local(i, axis)); });
}

template <class Flux, int D, class UpdateKernel>
[[gnu::flatten]] inline void update_row(const UpdateKernel& kernel, const Index<D>& first,
                                        const int end, const FluxRowsAround<Flux, D>& around) {
  const UpdateKernel local = kernel;
  const FluxRowsAround<Flux, D> rows = around;
  for_points_of_row<PackLength::line>(
      local, first, end, [&](const auto& i) { local(i, rows.of(i, i[0] - first[0])); });
}

/// Goes over one tile, row by row. What crosses a face is found with the first row beside it.
template <class Flux, int D, class FluxKernel, class UpdateKernel, class Prologue>
[[gnu::noinline]] void sweep_flux_tile(const Box<D>& tile, const FluxKernel& flux,
                                       const UpdateKernel& update, const Prologue& prologue) {
  const int end = tile.upper[0];
  FluxRows<Flux, D> rows(tile);
  const Box<D> starts = tile.with(0, tile.lower[0], tile.lower[0] + 1);
  for (long long number = 0; number < starts.size(); ++number) {
    const Index<D> first = point_of(starts, number);
    prologue(first, end);
    const FluxRowsAround<Flux, D> around = rows.around(first);
    if constexpr (D > 1) {
      if (first[1] == tile.lower[1]) set_fluxes<1>(flux, first, end, around.low[1]);
      set_fluxes<1>(flux, first.shifted(1, 1), end, around.high[1]);
    }
    if constexpr (D > 2) {
      if (first[2] == tile.lower[2]) set_fluxes<2>(flux, first, end, around.low[2]);
      set_fluxes<2>(flux, first.shifted(2, 1), end, around.high[2]);
    }
    set_fluxes<0>(flux, first, end + 1, around.low[0]);
    update_row(update, first, end, around);
  }
}

/// Calls `update(i, fluxes)` for every point of `box`, with what `flux(i, axis)` says of its faces:
/// see with_fluxes(). Host only.
template <int D, class FluxKernel, class UpdateKernel, class Prologue>
void sweep_with_fluxes(const Box<D>& box, const FluxKernel& flux, const UpdateKernel& update,
                       const Prologue& prologue) {
  using Flux = FluxOf<FluxKernel, D>;
  if (box.empty()) return;
  const FluxTiles<D> tiles(box, FluxRows<Flux, D>::longest, FluxRows<Flux, D>::rows_of_tile(box));
  for_ranges(box.size(), tiles.count(), [=](long long from, long long to) {
    for (long long number = from; number < to; ++number)
      sweep_flux_tile<Flux, D>(tiles[number], flux, update, prologue);
    if constexpr (requires { update.finish(); }) update.finish();
  });
}

}  // namespace cartwright::grid
