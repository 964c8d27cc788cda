// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cartwright/grid/kernels/pack.hpp>
#include <cartwright/grid/space/box.hpp>
#include <cartwright/grid/space/vector.hpp>
#include <cstddef>
#include <type_traits>

namespace cartwright::grid {

/// What flows across the faces of a point along each axis, upwards: numbers, or Vectors of some; of
/// a pack of points, packs of them.
template <class Flux, int D>
struct Fluxes {
  Flux low[D];   ///< from the point below into this one
  Flux high[D];  ///< from this point into the one above
};

/// What a kernel of fluxes says of one face: a number, or a Vector of some.
template <class FluxKernel, int D>
using FluxOf = std::remove_cvref_t<std::invoke_result_t<const FluxKernel&, const Index<D>&, int>>;

/// The fluxes across the faces of a row, each component by itself.
template <class Flux>
class FluxRow {
 public:
  using Scalar = typename ElementTraits<Flux>::Scalar;
  static constexpr int components = ElementTraits<Flux>::components;

  FluxRow() = default;
  FluxRow(Scalar* numbers, int stride) : numbers_(numbers), stride_(stride) {}

  template <int D>
  [[nodiscard, gnu::always_inline]] Flux of(const Index<D>& /*i*/, int x) const {
    Flux flux{};
    for (int c = 0; c < components; ++c) component_of(flux, c) = numbers_[c * stride_ + x];
    return flux;
  }
  template <int D>
  [[gnu::always_inline]] void set(const Index<D>& /*i*/, int x, const Flux& flux) const {
    for (int c = 0; c < components; ++c) numbers_[c * stride_ + x] = component_of(flux, c);
  }
#ifdef CARTWRIGHT_PACKS
  template <int D, int points>
  [[nodiscard, gnu::always_inline]] auto of(const PackIndex<D, points>& /*i*/, int x) const {
    using Pack = PackOf<points>;
    ValueAt<Flux, PackIndex<D, points>> flux;
#pragma GCC unroll 64
    for (int c = 0; c < components; ++c)
      pack_of(flux, c) = Pack(numbers_ + c * stride_ + x, std::experimental::element_aligned);
    return flux;
  }
  template <int D, int points>
  [[gnu::always_inline]] void set(const PackIndex<D, points>& /*i*/, int x,
                                  const ValueAt<Flux, PackIndex<D, points>>& flux) const {
#pragma GCC unroll 64
    for (int c = 0; c < components; ++c)
      pack_of(flux, c).copy_to(numbers_ + c * stride_ + x, std::experimental::element_aligned);
  }
#endif

 private:
  Scalar* numbers_ = nullptr;
  std::ptrdiff_t stride_ = 0;
};

/// Those of the faces around a row.
template <class Flux, int D>
struct FluxRowsAround {
  FluxRow<Flux> low[D], high[D];

  template <class Point>
  [[nodiscard, gnu::always_inline]] Fluxes<ValueAt<Flux, Point>, D> of(const Point& i,
                                                                       int x) const {
    Fluxes<ValueAt<Flux, Point>, D> result;
#pragma GCC unroll 3
    for (int axis = 0; axis < D; ++axis) {
      result.low[axis] = low[axis].of(i, x);
      result.high[axis] = high[axis].of(i, axis == 0 ? x + 1 : x);
    }
    return result;
  }
};

/// Room for the fluxes of a tile that wait for the second of their points: one row along x, two
/// along y, and along z those of a block of rows and one more. On the stack.
template <class Flux, int D>
class FluxRows {
  using Row = FluxRow<Flux>;
  using Scalar = typename Row::Scalar;
  /// Of a core's own cache: the rest is for the fields' rows.
  static constexpr int room = 128 * 1024 / static_cast<int>(sizeof(Scalar));
  /// One along x, two along y, and some for a block of rows along z.
  static constexpr int fewest_rows = D < 3 ? 3 : 8;
  /// Short parts of rows are slow: each begins on another page of memory (128 points: 2.2 times as
  /// long as 2048 in 2-D, 1.35 times as long as 512 in 3-D).
  static constexpr int long_enough = D < 3 ? 2048 : 512;
  static constexpr int points_of_pack = 8;

 public:
  /// The longest row of a tile: packs begin with it.
  static constexpr int longest = std::min(
      long_enough, (room / (fewest_rows * Row::components) - 1) / points_of_pack * points_of_pack);
  static_assert(longest > 0, "cartwright: too many numbers in a flux");

  /// How many rows of a plane a tile of `box` may have.
  [[nodiscard]] static int rows_of_tile(const Box<D>& box) {
    if (D < 3) return 1;
    const int row = Row::components * stride_of(std::min(box.extent(0), longest));
    return std::max(room / row - 4, 1);
  }

  explicit FluxRows(const Box<D>& tile) : tile_(tile), stride_(stride_of(tile.extent(0))) {}

  /// Around the row of `first`. What is its high side along an axis is the low one of
  /// the row above it: along z rows change places with the one that is spare.
  [[nodiscard]] FluxRowsAround<Flux, D> around(const Index<D>& first) {
    FluxRowsAround<Flux, D> result;
    result.low[0] = result.high[0] = row(0);
    int begin = 1, place = 0, places = 2;
    for (int axis = 1; axis < D; ++axis) {
      const int above = place + (first[axis] - tile_.lower[axis]) * (places - 1);
      result.low[axis] = row(begin + (above + 1) % places);
      result.high[axis] = row(begin + above % places);
      begin += places;
      place = first[axis] - tile_.lower[axis];
      places = tile_.extent(axis) + 1;
    }
    return result;
  }

 private:
  [[nodiscard]] static int stride_of(int points) { return points + 1; }
  [[nodiscard]] Row row(int number) {
    return {numbers_.data() + number * Row::components * stride_, stride_};
  }

  Box<D> tile_;
  int stride_;
  alignas(64) std::array<Scalar, room> numbers_;
};

}  // namespace cartwright::grid
