// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Kokkos_Core.hpp>
#include <cartwright/grid/space/index.hpp>
#include <cartwright/grid/space/vector.hpp>
#include <type_traits>
#if __has_include(<experimental/simd>) && !defined(__CUDACC__) && !defined(__HIPCC__)
#include <experimental/simd>
#define CARTWRIGHT_PACKS 1
#endif

namespace cartwright::grid {

/// The points of a pack: `first` and those behind it along x, as many as fit into a vector of the
/// processor. Kernels see it in the place of an Index<D>; shifted, it means the pack around there.
template <int D>
struct PackIndex {
  Index<D> first;

  constexpr int operator[](int axis) const { return first[axis]; }
  constexpr int& operator[](int axis) { return first[axis]; }
  [[nodiscard]] constexpr PackIndex shifted(int axis, int distance) const {
    return {first.shifted(axis, distance)};
  }
};

#ifdef CARTWRIGHT_PACKS
/// Doubles of the points of a pack. Calculates like a number, each element by itself: the same bits
/// as points one by one.
using Pack = std::experimental::native_simd<double>;
inline constexpr int points_of_pack = static_cast<int>(Pack::size());
#endif

/// What kernels calculate with at a point, or at a pack of them.
template <class Point>
struct NumbersAt {
  using Type = double;
};
#ifdef CARTWRIGHT_PACKS
template <int D>
struct NumbersAt<PackIndex<D>> {
  using Type = Pack;
};
#endif
template <class Point>
using NumberAt = typename NumbersAt<std::remove_cvref_t<Point>>::Type;

/// `yes` where `condition` holds, else `no`: in kernels of packs in the place of `if` and `?:`, of
/// numbers and Vectors of them. Both are computed.
template <class T>
[[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION T choose(bool condition, const T& yes, const T& no) {
  return condition ? yes : no;
}
#ifdef CARTWRIGHT_PACKS
[[nodiscard]] inline Pack choose(const Pack::mask_type& condition, const Pack& yes, Pack no) {
  where(condition, no) = yes;
  return no;
}
template <int N>
[[nodiscard]] inline Vector<Pack, N> choose(const Pack::mask_type& condition,
                                            const Vector<Pack, N>& yes, Vector<Pack, N> no) {
  for (int c = 0; c < N; ++c) where(condition, no[c]) = yes[c];
  return no;
}
#endif

/// A kernel of points and of packs of them: see in_packs().
template <class Kernel>
struct InPacks {
  Kernel kernel;

  template <int D>
  KOKKOS_INLINE_FUNCTION void operator()(const Index<D>& i) const {
    kernel(i);
  }
#ifdef CARTWRIGHT_PACKS
  /// Of the host: a row (see for_each_point). Packs begin where those of the field's memory do;
  /// what is left at both ends goes point by point.
  template <int D>
  [[gnu::flatten]] void row(Index<D> i, const int end) const {
    const Kernel local = kernel;
    for (; i[0] < end && i[0] % points_of_pack != 0; ++i[0]) local(Index<D>(i));
    for (; i[0] + points_of_pack <= end; i[0] += points_of_pack) local(PackIndex<D>{i});
    for (; i[0] < end; ++i[0]) local(Index<D>(i));
  }
#endif
};

/// Lets the framework call a kernel with packs of neighbouring points, where the processor has
/// vectors: `exchange(f).overlap(in_packs(KOKKOS_LAMBDA(const auto& i) { … }))`. For kernels that a
/// compiler leaves scalar (g++ 12: the collision of lattice Boltzmann). The fields that it uses are
/// captured as packs(field); `auto` is a double or a Pack, choose() stands for `if`. Scalar on
/// devices and at the ends of rows: the same bits.
template <class Kernel>
[[nodiscard]] InPacks<Kernel> in_packs(const Kernel& kernel) {
  return {kernel};
}

}  // namespace cartwright::grid
