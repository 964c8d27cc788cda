// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cartwright/grid/field/field.hpp>
#include <cartwright/grid/field/for_each.hpp>
#include <cartwright/grid/kernels/binned_reduction.hpp>
#include <cartwright/grid/kernels/parts.hpp>
#include <cartwright/grid/particles/particles.hpp>
#include <cartwright/grid/particles/point_sums.hpp>
#include <cartwright/grid/space/refused.hpp>
#include <cmath>
#include <cstddef>
#include <limits>
#include <type_traits>

namespace cartwright::grid {

/// What particles carry, given to the points around them, linear along each axis: the other way
/// round as Interpolation. `cw::Deposition onto(density);`, and after migrate()
/// `onto(electrons, [=](std::ptrdiff_t p) { return mass(p) / volume; });` sets the density, of all
/// particles of all ranks. The points' values add up to those of the particles: what a wall cuts
/// off is the last point's.
///
/// The same bits on any number of ranks and threads, as long as no point gets something from more
/// than 2^24 particles: nothing is rounded before a point's sum is (see PointSums).
///
/// For fields of doubles or Vectors of them, of any centring, on the host, of equal cells.
template <class T, int D>
class Deposition {
  using Element = ElementOf<T>;
  static constexpr int numbers = ElementTraits<T>::components;

 public:
  /// Collective. Takes memory for three times as many numbers as the field has. `field` outlives
  /// it. Throws an input error (all ranks) where cells are stretched.
  explicit Deposition(Field<T, D>& field)
      : field_(field),
        sums_(field.grid(), field.centring(), numbers, field.name() + " of particles") {
    static_assert(kernels_run_on_host || refused::never<T>,
                  "cartwright: particles lie in the host's memory");
    static_assert(std::is_same_v<typename ElementTraits<T>::Scalar, double>,
                  "cartwright: what particles give to points are doubles");
  }

  /// Collective. Sets the field to what all particles give: `value(p)` is that of one of this
  /// rank's; called more than once, on all threads. Throws an internal failure if a particle isn't
  /// in its owner's cells.
  template <class Value>
  void operator()(const Particles& particles, const Value& value) {
    static_assert(std::is_invocable_r_v<Element, const Value&, std::ptrdiff_t>,
                  "cartwright: [=](std::ptrdiff_t p) { return what particle p gives; }");
    {
      const GridBase& grid = field_.grid();
      const rt::Timed timed(grid.trace(), grid.kernel_regions().for_each);
      sums_.begin(particles, greatest(particles, value));
      for_parts(sums_.parts(), [&](const int part) { give(part, value); });
      sums_.require_all_at_home();
    }
    sums_.gather();
    const auto sum = sums_.view();
    const auto to = field_.view();
    for_each(field_, [=](const Index<D>& i) {
      if constexpr (std::is_same_v<Element, double>) {
        to(i) = sum(i, 0);
      } else {
        Element all{};
        for (int number = 0; number < numbers; ++number) all[number] = sum(i, number);
        to(i) = all;
      }
    });
  }

 private:
  using Numbers = std::array<double, static_cast<std::size_t>(numbers)>;
  [[nodiscard]] static double part_of(const Element& value, std::size_t number) {
    return BinnedParts<Element>::part(value, static_cast<int>(number));
  }

  /// Of what is a number at all: each one's size.
  template <class Value>
  [[nodiscard]] static Numbers greatest(const Particles& particles, const Value& value) {
    const auto all = static_cast<long long>(particles.size());
    Numbers result{};
    for (const Numbers& mine : results_of_ranges(all, all, [&](long long from, long long to) {
           Numbers sizes{};
           for (long long p = from; p < to; ++p) {
             const Element given = value(static_cast<std::ptrdiff_t>(p));
             for (std::size_t number = 0; number < sizes.size(); ++number) {
               const double size = std::abs(part_of(given, number));
               const bool counts =
                   size > sizes[number] && size <= std::numeric_limits<double>::max();
               sizes[number] = counts ? size : sizes[number];
             }
           }
           return sizes;
         }))
      for (std::size_t number = 0; number < result.size(); ++number)
        result[number] = std::max(result[number], mine[number]);
    return result;
  }

  template <class Value>
  void give(int part, const Value& value) {
    typename PointSums<D>::Part mine(sums_, part);
    std::array<std::array<double, PointSums<D>::Part::at_once>, static_cast<std::size_t>(numbers)>
        given;
    while (mine.next()) {
      for (int k = 0; k < mine.count(); ++k) {
        const Element all = value(static_cast<std::ptrdiff_t>(mine.particle(k)));
        for (std::size_t number = 0; number < given.size(); ++number)
          given[number][static_cast<std::size_t>(k)] = part_of(all, number);
      }
      for (int number = 0; number < numbers; ++number)
        mine.add(number, given[static_cast<std::size_t>(number)].data());
    }
  }

  Field<T, D>& field_;
  PointSums<D> sums_;
};

}  // namespace cartwright::grid
