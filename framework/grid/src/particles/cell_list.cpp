// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/grid/field/grid_base.hpp>
#include <cartwright/grid/particles/cell_list.hpp>
#include <cartwright/grid/particles/particles.hpp>
#include <cmath>

namespace cartwright::grid {

/// From numbers that all ranks know: about as many bins as particles, at the most.
void CellList::choose_bins(const Particles& particles) {
  constexpr double rounding = 1e-9;
  const GridBase& grid = particles.grid();
  dimensions_ = grid.dimensions();
  const double most =
      std::ceil(std::pow(4.0 * static_cast<double>(particles.count()) + 1.0, 1.0 / dimensions_));
  for (int axis = 0; axis < dimensions_; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    const double wanted = std::floor(grid.length(axis) / (radius_ * (1.0 + rounding)));
    count_[a] = static_cast<long long>(std::clamp(wanted, 1.0, most));
    origin_[a] = grid.origin(axis);
    width_[a] = grid.length(axis) / static_cast<double>(count_[a]);
    periodic_[a] = grid.periodic(axis);
  }
}

/// Particles beyond a bounded face are in the last bin before it: neighbours stay neighbours.
CellList::Place CellList::place_of(const Particles& particles, std::size_t particle) const {
  Place place{};
  const ParticleAttribute& position = particles.position();
  for (int axis = 0; axis < dimensions_; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    const double x = position.at(particle, axis);
    const double bin = std::floor((x - origin_[a]) / width_[a]);
    const auto most = static_cast<double>(count_[a]);
    if (bin != bin) continue;  // no number: anywhere
    const double low = periodic_[a] ? -1e6 : 0.0, high = periodic_[a] ? 1e6 : most - 1.0;
    place[a] = static_cast<long long>(std::clamp(bin, low, high));
  }
  return place;
}

void CellList::sort(const Particles& particles) {
  choose_bins(particles);
  const std::span<const long long> identities = particles.identities();
  const std::size_t all = identities.size();
  places_.resize(all);
  Place upper{};
  for (std::size_t p = 0; p < all; ++p) {
    places_[p] = place_of(particles, p);
    for (std::size_t a = 0; a < 3; ++a) {
      lower_[a] = p == 0 ? places_[p][a] : std::min(lower_[a], places_[p][a]);
      upper[a] = p == 0 ? places_[p][a] : std::max(upper[a], places_[p][a]);
    }
  }
  for (std::size_t a = 0; a < 3; ++a) extent_[a] = upper[a] - lower_[a] + 1;
  const auto bin_of = [&](const Place& place) {
    return static_cast<std::size_t>(
        place[0] - lower_[0] +
        extent_[0] * (place[1] - lower_[1] + extent_[1] * (place[2] - lower_[2])));
  };
  begin_.assign(static_cast<std::size_t>(extent_[0] * extent_[1] * extent_[2]) + 1, 0);
  for (const Place& place : places_) ++begin_[bin_of(place) + 1];
  for (std::size_t bin = 1; bin < begin_.size(); ++bin) begin_[bin] += begin_[bin - 1];
  order_.resize(all);
  next_.assign(begin_.begin(), begin_.end() - 1);
  for (std::size_t p = 0; p < all; ++p) order_[next_[bin_of(places_[p])]++] = p;
  for (std::size_t bin = 0; bin < bins(); ++bin)
    std::sort(order_.begin() + static_cast<std::ptrdiff_t>(begin_[bin]),
              order_.begin() + static_cast<std::ptrdiff_t>(begin_[bin + 1]),
              [&](std::size_t a, std::size_t b) { return identities[a] < identities[b]; });
  for (int axis = 0; axis < dimensions_; ++axis) {
    std::vector<double>& along = positions_[static_cast<std::size_t>(axis)];
    along.resize(all);
    for (std::size_t slot = 0; slot < all; ++slot)
      along[slot] = particles.position().at(order_[slot], axis);
  }
}

CellList::Around CellList::around(std::size_t bin) const {
  Around around;
  const auto number = static_cast<long long>(bin);
  const Place at{number % extent_[0], number / extent_[0] % extent_[1],
                 number / (extent_[0] * extent_[1])};
  for (long long z = std::max(0LL, at[2] - 1); z <= std::min(extent_[2] - 1, at[2] + 1); ++z)
    for (long long y = std::max(0LL, at[1] - 1); y <= std::min(extent_[1] - 1, at[1] + 1); ++y) {
      const long long row = extent_[0] * (y + extent_[1] * z);
      const auto first = static_cast<std::size_t>(row + std::max(0LL, at[0] - 1));
      const auto last = static_cast<std::size_t>(row + std::min(extent_[0] - 1, at[0] + 1));
      around.pieces[around.count++] = {begin_[first], begin_[last + 1]};
    }
  return around;
}

}  // namespace cartwright::grid
