// SPDX-License-Identifier: Apache-2.0
#include <cartwright/grid/particles/home_cells.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cartwright/grid/field/grid_base.hpp>
#include <cartwright/grid/kernels/parts.hpp>
#include <cartwright/grid/particles/particles.hpp>
#include <cartwright/rt/error.hpp>
#include <cmath>
#include <string>

namespace cartwright::grid {
namespace {

constexpr int elsewhere = -1;

/// This rank's cells along one axis.
struct Axis {
  double origin, inverse_spacing, length;
  long long start, count;
  bool is_periodic;
};

template <int D>
class HomeCells {
 public:
  explicit HomeCells(const Particles& particles)
      : particles_(particles), is_stretched_(particles.grid().is_stretched()) {
    const GridBase& grid = particles.grid();
    const Block block = grid.block(Centring::cell);
    for (int axis = 0; axis < D; ++axis) {
      const auto a = static_cast<std::size_t>(axis);
      axes_[static_cast<std::size_t>(axis)] = {grid.origin(axis), 1.0 / grid.spacing(axis, 0),
                                               grid.length(axis), block.start[a],
                                               block.count[a],    grid.periodic(axis)};
    }
  }
  /// Among this rank's; `elsewhere` for a particle that is in another one's.
  [[nodiscard]] Index<D> of(std::size_t particle) const {
    constexpr double near = 1e-6;  // an edge, more than what rounds: then edges are asked
    Index<D> local{};
    for (int axis = 0; axis < D; ++axis) {
      const Axis& here = axes_[static_cast<std::size_t>(axis)];
      const double place =
          (particles_.position().at(particle, axis) - here.origin) * here.inverse_spacing;
      const double cell = std::floor(place), within = place - cell;
      const double number = cell - static_cast<double>(here.start);
      const bool is_clear = within > near && within < 1.0 - near && !is_stretched_;
      if (!is_clear || !(number >= 0.0 && number < static_cast<double>(here.count)))
        return by_edges(particle);
      local[axis] = static_cast<int>(number);
    }
    return local;
  }

 private:
  [[nodiscard]] Index<D> by_edges(std::size_t particle) const {
    const std::array<long long, 3> cell = particles_.cell_of(particle);
    Index<D> local{};
    for (int axis = 0; axis < D; ++axis) {
      const Axis& here = axes_[static_cast<std::size_t>(axis)];
      const long long number = cell[static_cast<std::size_t>(axis)] - here.start;
      const double way = particles_.position().at(particle, axis) - here.origin;
      const bool is_wrapped = !here.is_periodic || (way >= 0.0 && way < here.length);
      if (number < 0 || number >= here.count || !is_wrapped) {
        local[0] = elsewhere;
        return local;
      }
      local[axis] = static_cast<int>(number);
    }
    return local;
  }

  const Particles& particles_;
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
void find_all(const Particles& particles, std::vector<Index<D>>& cells) {
  const HomeCells<D> home(particles);
  const auto all = static_cast<long long>(cells.size());
  for_ranges(all, all, [&](long long from, long long to) {
    for (auto p = static_cast<std::size_t>(from); p < static_cast<std::size_t>(to); ++p)
      cells[p] = home.of(p);
  });
}

}  // namespace

template <int D>
void find_home_cells(const Particles& particles, std::vector<Index<D>>& cells) {
  cells.resize(particles.size());
  find_all(particles, cells);
  const auto is_lost = [](const Index<D>& cell) { return cell[0] == elsewhere; };
  if (const auto lost = std::ranges::find_if(cells, is_lost); lost != cells.end())
    refuse(particles, static_cast<std::size_t>(lost - cells.begin()));
}

template void find_home_cells(const Particles& particles, std::vector<Index<1>>& cells);
template void find_home_cells(const Particles& particles, std::vector<Index<2>>& cells);
template void find_home_cells(const Particles& particles, std::vector<Index<3>>& cells);

}  // namespace cartwright::grid
