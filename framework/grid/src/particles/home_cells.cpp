// SPDX-License-Identifier: Apache-2.0
#include <cartwright/grid/particles/home_cells.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cartwright/grid/field/grid_base.hpp>
#include <cartwright/grid/kernels/parts.hpp>
#include <cartwright/grid/particles/particles.hpp>
#include <cartwright/rt/error.hpp>
#include <cmath>
#include <string>

namespace cartwright::grid {
namespace {

constexpr int elsewhere = -1;
constexpr std::size_t at_once = 256;  // particles

/// This rank's cells along one axis.
struct Axis {
  double origin, inverse_spacing, length;
  long long start, count;
  bool is_periodic;
};

template <int D>
class CellFinder {
 public:
  CellFinder(const Particles& particles, HomeCells<D>& cells)
      : particles_(particles), cells_(cells), is_stretched_(particles.grid().is_stretched()) {
    const GridBase& grid = particles.grid();
    const Block block = grid.block(Centring::cell);
    for (int axis = 0; axis < D; ++axis) {
      const auto a = static_cast<std::size_t>(axis);
      axes_[a] = {grid.origin(axis), 1.0 / grid.spacing(axis, 0), grid.length(axis), block.start[a],
                  block.count[a],    grid.periodic(axis)};
    }
  }
  /// Of the particles from `from` up to `to`, at most `at_once`. A cell that is `elsewhere` is
  /// another rank's. Where a place is clear, by its distance from the origin: without branches, in
  /// the processor's vectors.
  void find(std::size_t from, std::size_t to) const {
    const std::size_t count = to - from;
    std::array<int, at_once> is_clear{};
    std::fill_n(is_clear.begin(), count, is_stretched_ ? 0 : 1);
    for (std::size_t axis = 0; axis < D; ++axis)
      find_clear(axes_[axis], particles_.position().along(static_cast<int>(axis)).data() + from,
                 cells_.along[axis].data() + from, is_clear.data(), count);
    for (std::size_t k = 0; k < count; ++k)
      if (is_clear[k] == 0) find_by_edges(from + k);
  }

 private:
  static void find_clear(const Axis& here, const double* position, int* cell, int* is_clear,
                         std::size_t count) {
    constexpr double near = 1e-6;  // an edge, more than what rounds: then edges are asked
    const Axis axis = here;
    const auto start = static_cast<double>(axis.start), end = static_cast<double>(axis.count);
    for (std::size_t k = 0; k < count; ++k) {
      const double place = (position[k] - axis.origin) * axis.inverse_spacing;
      const double below = std::floor(place), within = place - below, number = below - start;
      const int good = static_cast<int>(within > near) & static_cast<int>(within < 1.0 - near) &
                       static_cast<int>(number >= 0.0) & static_cast<int>(number < end);
      is_clear[k] &= good;
      cell[k] = static_cast<int>(good != 0 ? number : 0.0);
    }
  }
  void find_by_edges(std::size_t particle) const {
    const std::array<long long, 3> cell = particles_.cell_of(particle);
    for (std::size_t a = 0; a < D; ++a) {
      const Axis& here = axes_[a];
      const long long number = cell[a] - here.start;
      const double way = particles_.position().at(particle, static_cast<int>(a)) - here.origin;
      const bool is_wrapped = !here.is_periodic || (way >= 0.0 && way < here.length);
      const bool is_mine = number >= 0 && number < here.count && is_wrapped;
      cells_.along[a][particle] = is_mine ? static_cast<int>(number) : elsewhere;
    }
  }

  const Particles& particles_;
  HomeCells<D>& cells_;
  bool is_stretched_;
  std::array<Axis, static_cast<std::size_t>(D)> axes_{};
};

[[noreturn]] void refuse(const Particles& particles, std::size_t particle) {
  std::string place;
  for (int axis = 0; axis < particles.dimensions(); ++axis)
    place +=
        fmt::format("{}{:.6g}", axis == 0 ? "" : ", ", particles.position().at(particle, axis));
  throw rt::internal_failure(
      fmt::format("particle {} of '{}', at ({}), is not in the cells of the rank that has it",
                  particles.identities()[particle], particles.name(), place),
      "Call migrate() after positions have changed.");
}

template <int D>
void find_all(const Particles& particles, HomeCells<D>& cells) {
  const CellFinder<D> finder(particles, cells);
  const auto all = static_cast<long long>(particles.size());
  for_ranges(all, all, [&](long long from, long long to) {
    const auto end = static_cast<std::size_t>(to);
    for (auto p = static_cast<std::size_t>(from); p < end; p += at_once)
      finder.find(p, std::min(p + at_once, end));
  });
}

}  // namespace

template <int D>
void find_home_cells(const Particles& particles, HomeCells<D>& cells) {
  for (std::vector<int>& along : cells.along) along.resize(particles.size());
  find_all(particles, cells);
  for (const std::vector<int>& along : cells.along)
    if (const auto lost = std::ranges::find(along, elsewhere); lost != along.end())
      refuse(particles, static_cast<std::size_t>(lost - along.begin()));
}

template void find_home_cells(const Particles& particles, HomeCells<1>& cells);
template void find_home_cells(const Particles& particles, HomeCells<2>& cells);
template void find_home_cells(const Particles& particles, HomeCells<3>& cells);

}  // namespace cartwright::grid
