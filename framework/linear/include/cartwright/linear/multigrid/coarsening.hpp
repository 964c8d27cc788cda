// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cartwright/grid/field/grid_base.hpp>
#include <cartwright/linear/operators/level_operator.hpp>
#include <cmath>

namespace cartwright::linear {

/// Along each axis, which cells become one.
template <int D>
using Coarsening = std::array<AxisCoarsening, static_cast<std::size_t>(D)>;

/// Cells are joined where they are coupled at least half as strongly as the narrowest ones of any
/// axis: point smoothers smooth along strong couplings only. Where cells are stretched, an axis is
/// coarsened where its cells are narrow, until all are about as wide as elsewhere.
template <int D>
[[nodiscard]] Coarsening<D> coarsening_of(const Geometry<D>& geometry) {
  double narrowest = std::numeric_limits<double>::infinity();
  for (const AxisGeometry& axis : geometry) narrowest = std::min(narrowest, axis.narrowest_pair());
  Coarsening<D> coarsening;
  for (std::size_t axis = 0; axis < geometry.size(); ++axis)
    coarsening[axis] = geometry[axis].coarsening(std::sqrt(2.0) * narrowest);
  return coarsening;
}

/// The coarser grid, its cells with the ranks that have the first of their cells. Positions in it
/// mean nothing: what a level needs to know of widths is in its geometry.
template <int D>
[[nodiscard]] grid::GridSpec coarser_spec(const grid::GridBase& fine,
                                          const Coarsening<D>& coarsening) {
  grid::GridSpec spec;
  for (int axis = 0; axis < D; ++axis) {
    const AxisCoarsening& begins = coarsening[static_cast<std::size_t>(axis)];
    spec.extent.push_back(static_cast<long long>(begins.size()) - 1);
    spec.periodic.push_back(fine.periodic(axis));
    std::vector<long long>& cuts = spec.cuts.emplace_back();
    for (const long long cut : fine.cuts()[static_cast<std::size_t>(axis)])
      cuts.push_back(std::ranges::lower_bound(begins, cut) - begins.begin());
  }
  return spec;
}

}  // namespace cartwright::linear
