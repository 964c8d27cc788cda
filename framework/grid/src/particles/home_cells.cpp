// SPDX-License-Identifier: Apache-2.0
#include <cartwright/grid/particles/home_cells.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cartwright/grid/field/grid_base.hpp>
#include <cartwright/grid/particles/particles.hpp>
#include <cartwright/rt/error.hpp>
#include <cmath>

#include "../space/place_text.hpp"

namespace cartwright::grid {

template <int D>
HomeCells<D>::HomeCells(const Particles& particles) : particles_(particles) {
  const GridBase& grid = particles.grid();
  const Block block = grid.block(Centring::cell);
  for (int axis = 0; axis < D; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    axes_[a] = {grid.origin(axis), 1.0 / grid.spacing(axis), grid.length(axis),
                block.start[a],    block.count[a],           grid.periodic(axis)};
  }
}

template <int D>
int HomeCells<D>::find(SomeParticles<D>& some) const {
  Flags is_clear;
  std::fill_n(is_clear.begin(), some.count, 1);
  for (std::size_t axis = 0; axis < D; ++axis)
    find_clear(axes_[axis], some.position[axis], some.count, some.cell[axis].data(), is_clear);
  int lost = -1;
  for (int k = 0; k < some.count; ++k)
    if (is_clear[static_cast<std::size_t>(k)] == 0 &&
        !find_by_edges(some, static_cast<std::size_t>(k)))
      lost = k;
  return lost;
}

/// Where a place is clear, by its distance from the origin: without branches, in the processor's
/// vectors.
template <int D>
void HomeCells<D>::find_clear(const Axis& here, const double* position, int count, int* cell,
                              Flags& is_clear) {
  constexpr double near = 1e-6;  // an edge, more than what rounds: then edges are asked
  const Axis axis = here;
  const auto start = static_cast<double>(axis.start), end = static_cast<double>(axis.count);
  for (int k = 0; k < count; ++k) {
    const double place = (position[k] - axis.origin) * axis.inverse_spacing;
    const double below = std::floor(place), within = place - below, number = below - start;
    const int good = static_cast<int>(within > near) & static_cast<int>(within < 1.0 - near) &
                     static_cast<int>(number >= 0.0) & static_cast<int>(number < end);
    is_clear[static_cast<std::size_t>(k)] &= good;
    cell[k] = static_cast<int>(good != 0 ? number : 0.0);
  }
}

template <int D>
bool HomeCells<D>::find_by_edges(SomeParticles<D>& some, std::size_t k) const {
  const std::array<long long, 3> cell = particles_.cell_of(some.particle[k]);
  bool is_mine = true;
  for (std::size_t a = 0; a < D; ++a) {
    const Axis& here = axes_[a];
    const long long number = cell[a] - here.start;
    const double way = some.position[a][k] - here.origin;
    const bool is_wrapped = !here.is_periodic || (way >= 0.0 && way < here.length);
    const bool is_here = number >= 0 && number < here.count && is_wrapped;
    some.cell[a][k] = is_here ? static_cast<int>(number) : 0;
    is_mine = is_mine && is_here;
  }
  return is_mine;
}

template <int D>
void HomeCells<D>::refuse(const Particles& particles, std::size_t particle) {
  std::array<double, 3> place{};
  for (int axis = 0; axis < D; ++axis)
    place[static_cast<std::size_t>(axis)] = particles.position().at(particle, axis);
  throw rt::internal_failure(
      fmt::format("particle {} of '{}', at ({}), is not in the cells of the rank that has it",
                  particles.identities()[particle], particles.name(), position_text(place, D)),
      "Call migrate() after positions have changed.");
}

template class HomeCells<1>;
template class HomeCells<2>;
template class HomeCells<3>;

}  // namespace cartwright::grid
