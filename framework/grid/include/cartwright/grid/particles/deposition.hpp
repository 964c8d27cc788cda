// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cartwright/grid/exchange/exchange.hpp>
#include <cartwright/grid/field/field.hpp>
#include <cartwright/grid/field/for_each.hpp>
#include <cartwright/grid/particles/home_cells.hpp>
#include <cartwright/grid/particles/particles.hpp>
#include <cartwright/grid/space/coordinates.hpp>
#include <cmath>
#include <cstddef>
#include <type_traits>
#include <vector>

namespace cartwright::grid {

/// How a particle is shared among the points around it, along each axis: by what Interpolation
/// weighs them with. At a wall the last point takes what would go beyond.
template <int D>
struct Shares {
  /// Of the point at `cell + lowest[axis]` along an axis; the next one has `upper` of it.
  int lowest[D];
  double upper[D];
};

/// Finds them, the same on any number of ranks.
template <int D>
class ShareOfPoints {
 public:
  ShareOfPoints(const Coordinates<D>& points, const Block& block, const GridBase& grid)
      : points_(points) {
    for (int axis = 0; axis < D; ++axis) {
      is_bounded_[axis] = !grid.periodic(axis);
      last_[axis] = static_cast<double>(block.global[static_cast<std::size_t>(axis)] - 1);
      reach_[axis] = points.shift[axis] > 0.0 ? 1.0 : 0.0;
    }
  }
  /// `cell`: that of the particle, among those of this rank.
  [[nodiscard]] Shares<D> operator()(const ParticleAttribute& position, std::size_t particle,
                                     const Index<D>& cell) const {
    Shares<D> shares{};
    for (int axis = 0; axis < D; ++axis) {
      const double x = position.at(particle, axis);
      const double place = (x - points_.origin[axis]) / points_.spacing[axis] - points_.shift[axis];
      const auto own = static_cast<double>(points_.global(cell, axis));
      // Without branches, which nobody could foresee; of what is no number its own cell.
      const double lowest = std::max(own - reach_[axis], std::min(own, std::floor(place)));
      double upper = std::min(1.0, std::max(0.0, place - lowest));
      if (is_bounded_[axis] && lowest < 0.0) upper = 1.0;
      if (is_bounded_[axis] && lowest == last_[axis]) upper = 0.0;
      shares.lowest[axis] = static_cast<int>(lowest - own);
      shares.upper[axis] = upper;
    }
    return shares;
  }

 private:
  Coordinates<D> points_;
  bool is_bounded_[D];
  double last_[D];   ///< point
  double reach_[D];  ///< 1 where the point below that of the cell may get something
};

/// What particles carry, given to the points around them, linear along each axis: the other way
/// round as Interpolation. `cw::Deposition onto(density);`, and after migrate()
/// `onto(electrons, [=](std::ptrdiff_t p) { return mass(p) / volume; });` sets the density, of all
/// particles of all ranks. The points' values add up to those of the particles: what a wall cuts
/// off is the last point's. The same bits on any number of ranks and threads.
///
/// Each cell keeps what its particles give to the 3^D points around it, in the order of their
/// identities; these numbers go to the neighbours, and each point adds them up in one order.
///
/// For fields of doubles or Vectors of them, of any centring, on the host, of equal cells.
template <class T, int D>
class Deposition {
  using Element = ElementOf<T>;
  static constexpr int numbers = ElementTraits<T>::components;
  static constexpr int places = D == 1 ? 3 : D == 2 ? 9 : 27;
  using Given = Vector<double, numbers * places>;

 public:
  /// Collective. Takes memory for 3^D times as many numbers as the field has. `field` outlives it.
  /// Throws an input error (all ranks) where cells are stretched.
  explicit Deposition(Field<T, D>& field)
      : field_(field),
        given_(field.typed_grid(), field.name() + " of particles",
               {.corners = true, .directions = directions()}) {
    static_assert(kernels_run_on_host, "cartwright: particles lie in the host's memory");
    static_assert(std::is_same_v<typename ElementTraits<T>::Scalar, double>,
                  "cartwright: what particles give to points are doubles");
    for (int axis = 0; axis < D; ++axis) (void)field.grid().spacing(axis);
    BoundaryCondition nothing;
    nothing.kind = BoundaryCondition::Kind::inflow;
    for (int face = 0; face < 2 * D; ++face) given_.set_boundary(Face::from_number(face), nothing);
  }

  /// Collective. Sets the field to what all particles give: `value(p)` is that of one of this
  /// rank's; called on all threads. Throws an internal failure if a particle isn't in its owner's
  /// cells.
  template <class Value>
  void operator()(const Particles& particles, const Value& value) {
    static_assert(std::is_invocable_r_v<Element, const Value&, std::ptrdiff_t>,
                  "cartwright: [=](std::ptrdiff_t p) { return what particle p gives; }");
    {
      const GridBase& grid = field_.grid();
      const rt::Timed timed(grid.trace(), grid.kernel_regions().for_each);
      find_home_cells(particles, cells_);
      gather(particles, value);
    }
    exchange(given_).wait();
    add_up();
  }

 private:
  /// Along each axis, of each of the places around a cell.
  [[nodiscard]] static Index<D> direction(int place) {
    Index<D> result{};
    for (int axis = 0; axis < D; ++axis, place /= 3) result[axis] = place % 3 - 1;
    return result;
  }
  /// So that no more travels than what goes that way; all, if that many can't be told apart.
  [[nodiscard]] static std::vector<Index<3>> directions() {
    std::vector<Index<3>> result;
    for (int place = 0; place < places && numbers * places <= 64; ++place)
      for (int number = 0; number < numbers; ++number) {
        result.emplace_back();
        for (int axis = 0; axis < D; ++axis) result.back()[axis] = direction(place)[axis];
      }
    return result;
  }

  /// Each thread has some cells, and passes over the particles of others.
  template <class Value>
  void gather(const Particles& particles, const Value& value) {
    const Box<D> owned = given_.owned();
    const auto to = given_.view();
    const int parts = threads_for(static_cast<long long>(cells_.size()), owned.size());
    const ShareOfPoints<D> share(field_.coordinates(), field_.block(), field_.grid());
    const ParticleAttribute& position = particles.position();
    for_parts(parts, [&, parts](const int part) {
      const PartRange mine = part_range(owned.size(), parts, part);
      for (long long number = mine.begin; number < mine.end; ++number)
        to(point_of(owned, number)) = Given{};
      const auto is_mine = [&](std::size_t p) {
        const long long number = number_of(owned, cells_[p]);
        return number >= mine.begin && number < mine.end;
      };
      for (std::size_t p = 0; p < cells_.size(); ++p) {
        if (p + ahead < cells_.size() && is_mine(p + ahead)) fetch(&to(cells_[p + ahead]));
        if (!is_mine(p)) continue;
        add(to(cells_[p]), share(position, p, cells_[p]), value(static_cast<std::ptrdiff_t>(p)));
      }
    });
  }
  static constexpr int steps[] = {1, 3, 9};  ///< from one of the places around a cell to the next
  /// Particles may be anywhere: what they add to is on its way while others are looked at.
  static constexpr std::size_t ahead = 8;
  [[gnu::always_inline]] static void fetch(const Given* given) {
    const auto* const bytes = reinterpret_cast<const std::byte*>(given);
    for (std::size_t at = 0; at < sizeof(Given); at += 64) __builtin_prefetch(bytes + at, 1);
  }
  static void add(Given& sums, const Shares<D>& shares, const Element& value) {
    int first = 0;
    for (int axis = D - 1; axis >= 0; --axis) first = 3 * first + shares.lowest[axis] + 1;
#pragma GCC unroll 8
    for (int corner = 0; corner < 1 << D; ++corner) {
      double weight = 1.0;
      int place = first;
#pragma GCC unroll 3
      for (int axis = D - 1; axis >= 0; --axis) {
        const bool is_upper = (corner >> axis & 1) != 0;
        weight *= is_upper ? shares.upper[axis] : 1.0 - shares.upper[axis];
        place += is_upper ? steps[axis] : 0;
      }
      for (int number = 0; number < numbers; ++number)
        sums[place * numbers + number] += weight * BinnedParts<Element>::part(value, number);
    }
  }

  /// Where the numbers lie that a point gets, from the first one of the cell with its own number:
  /// in the order in which they are added.
  struct Sources {
    std::ptrdiff_t offset[places];
    int count = 0;
  };
  [[nodiscard]] Sources sources() const {
    const auto from = given_.view().reading();
    const Index<D> here{};
    Sources found{};
    for (int place = 0; place < places; ++place) {
      const Index<D> way = direction(place);
      Index<D> cell = here;
      bool is_possible = true;  // points at the ends of cells get nothing from above
      for (int axis = 0; axis < D; ++axis) {
        cell[axis] -= way[axis];
        is_possible = is_possible && !(way[axis] < 0 && is_nodal(field_.centring(), axis));
      }
      if (is_possible) found.offset[found.count++] = &from(cell)[place * numbers] - &from(here)[0];
    }
    return found;
  }
  void add_up() {
    const auto from = given_.view().reading();
    const auto to = field_.view();
    const Sources sources = this->sources();
    for_each(field_, [=](const Index<D>& i) {
      const double* const given = &from(i)[0];
      Element sum{};
      for (int k = 0; k < sources.count; ++k) {
        if constexpr (std::is_same_v<Element, double>)
          sum += given[sources.offset[k]];
        else
          for (int number = 0; number < numbers; ++number)
            sum[number] += given[sources.offset[k] + number];
      }
      to(i) = sum;
    });
  }

  Field<T, D>& field_;
  Field<Given, D> given_;
  std::vector<Index<D>> cells_;  ///< of particles; kept, so that nothing is allocated
};

}  // namespace cartwright::grid
