// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cartwright/grid/kernels/streaming_stores.hpp>
#include <cartwright/grid/space/index.hpp>
#include <cartwright/grid/space/vector.hpp>
#include <type_traits>
#include <utility>
#if __has_include(<experimental/simd>) && !defined(__CUDACC__) && !defined(__HIPCC__)
#include <experimental/simd>
#define CARTWRIGHT_PACKS 1
#endif

namespace cartwright::grid {

/// The points of a pack: `first` and those behind it along x, `points` together. Kernels see it in
/// the place of an Index<D>; shifted, it means the pack around there.
template <int D, int points>
struct PackIndex {
  Index<D> first;

  constexpr int operator[](int axis) const { return first[axis]; }
  constexpr int& operator[](int axis) { return first[axis]; }
  [[nodiscard]] constexpr PackIndex shifted(int axis, int distance) const {
    return {first.shifted(axis, distance)};
  }
};

template <class Point>
struct DimensionsOf;
template <int D>
struct DimensionsOf<Index<D>> {
  static constexpr int value = D;
};
template <int D, int points>
struct DimensionsOf<PackIndex<D, points>> {
  static constexpr int value = D;
};
/// Of what a kernel gets: a point, or a pack of them.
template <class Point>
inline constexpr int dimensions_of = DimensionsOf<std::remove_cvref_t<Point>>::value;

#ifdef CARTWRIGHT_PACKS
/// As many points as fit into a vector of the processor, and those of a whole cache line, which
/// alone can be stored past the caches where a kernel writes many rows at once.
inline constexpr int points_of_vector =
    static_cast<int>(std::experimental::native_simd<double>::size());
inline constexpr int points_of_line = std::max<int>(64 / sizeof(double), points_of_vector);
static_assert(points_of_line % points_of_vector == 0);

/// Doubles of the points of a pack. Calculates like a number, each element by itself: the same bits
/// as points one by one.
template <int points>
using PackOf =
    std::conditional_t<points == points_of_vector, std::experimental::native_simd<double>,
                       std::experimental::fixed_size_simd<double, points>>;
/// Of any length.
template <class Kind>
using PackOfKind = std::experimental::simd<double, Kind>;
template <class Kind>
using ConditionOfKind = std::experimental::simd_mask<double, Kind>;

/// See StretchedCells.
template <int D, int points>
[[nodiscard]] PackOf<points> entry_at(const double* table, const PackIndex<D, points>& i,
                                      int axis) {
  const double* const first = table + i[axis];
  return axis == 0 ? PackOf<points>(first, std::experimental::element_aligned)
                   : PackOf<points>(*first);
}
#endif

/// What kernels calculate with at a point, or at a pack of them.
template <class Point>
struct NumbersAt {
  using Type = double;
};
#ifdef CARTWRIGHT_PACKS
template <int D, int points>
struct NumbersAt<PackIndex<D, points>> {
  using Type = PackOf<points>;
};
#endif
/// double, or a pack of them.
template <class Point>
using NumberAt = typename NumbersAt<std::remove_cvref_t<Point>>::Type;

/// What stands for a number, or for a Vector of some, at a point or at a pack of them.
template <class Value, class Point>
struct ValuesAt {
  using Type = Value;
};
#ifdef CARTWRIGHT_PACKS
template <class Value, int D, int points>
requires(std::is_arithmetic_v<Value>) struct ValuesAt<Value, PackIndex<D, points>> {
  using Type = PackOf<points>;
};
template <int N, int D, int points>
struct ValuesAt<Vector<double, N>, PackIndex<D, points>> {
  using Type = Vector<PackOf<points>, N>;
};
#endif
/// `Value`, or a pack of them: for double NumberAt, for Vector<double, N> a Vector of packs.
template <class Value, class Point>
using ValueAt = typename ValuesAt<Value, std::remove_cvref_t<Point>>::Type;

/// Whether packs of such values calculate as the values do.
template <class Value>
inline constexpr bool has_packs = false;
#ifdef CARTWRIGHT_PACKS
template <>
inline constexpr bool has_packs<double> = true;
template <int N>
inline constexpr bool has_packs<Vector<double, N>> = true;

/// Of what stands for a number its only pack, of what stands for a Vector that of component `c`.
template <class Packs>
[[nodiscard, gnu::always_inline]] inline auto& pack_of(Packs& packs, int c) {
  if constexpr (std::experimental::is_simd_v<std::remove_const_t<Packs>>)
    return packs;
  else
    return packs[c];
}
#endif

/// `yes` where `condition` holds, else `no`: in kernels of packs in the place of `if` and `?:`, of
/// numbers and Vectors of them. Both are computed.
template <class T>
[[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION T choose(bool condition, const T& yes, const T& no) {
  return condition ? yes : no;
}
#ifdef CARTWRIGHT_PACKS
template <class Kind>
[[nodiscard]] PackOfKind<Kind> choose(const ConditionOfKind<Kind>& condition,
                                      const std::type_identity_t<PackOfKind<Kind>>& yes,
                                      std::type_identity_t<PackOfKind<Kind>> no) {
  where(condition, no) = yes;
  return no;
}
template <class Kind, int N>
[[nodiscard]] Vector<PackOfKind<Kind>, N> choose(const ConditionOfKind<Kind>& condition,
                                                 const Vector<PackOfKind<Kind>, N>& yes,
                                                 Vector<PackOfKind<Kind>, N> no) {
  for (int c = 0; c < N; ++c) where(condition, no[c]) = yes[c];
  return no;
}
#endif

/// How long packs are.
enum class PackLength {
  line,   ///< what is left of a row in vectors, and then point by point
  vector  ///< no longer ones: conditions of several vectors aren't quick
};

/// Calls `body(i)` for the points from `first` up to `end`; for kernels in_packs(), for packs of
/// them. What the body calls becomes one piece with it where the caller is flattened.
template <PackLength /*longest*/, class Kernel, int D, class Body>
[[gnu::always_inline]] inline void for_points_of_row(const Kernel& /*kernel*/,
                                                     const Index<D>& first, const int end,
                                                     const Body& body) {
  Index<D> i = first;
  // Independence of points is the kernel's promise, so the row may be vectorised.
#pragma GCC ivdep
  for (int x = first[0]; x < end; ++x) {
    i[0] = x;
    body(i);
  }
}

/// A kernel of points and of packs of them: see in_packs().
template <class Kernel>
struct InPacks {
  Kernel kernel;

  template <class Point, class... More>
  KOKKOS_FORCEINLINE_FUNCTION auto operator()(const Point& i, More&&... more) const
      -> decltype(std::declval<const Kernel&>()(i, more...)) {
    return kernel(i, more...);
  }
#ifdef CARTWRIGHT_PACKS
  /// `Value`: of a reduction that the kernel adds to.
  template <int D, class... Value>
  static constexpr bool takes_packs() {
    using Points = PackIndex<D, points_of_vector>;
    return std::is_invocable_v<const Kernel&, const Points&, ValueAt<Value, Points>&...>;
  }
  /// Of the host: a row, see for_each_point.
  template <int D>
  [[gnu::flatten]] void row(const Index<D>& first, const int end) const {
    const Kernel local = kernel;
    // Itself, not a function that calls it: g++ 12 would look up what it captured again and again
    // (1.2 times as long).
    for_points_of_row<PackLength::line>(*this, first, end, local);
  }
  /// Behind the rows of a thread.
  void finish() const {
    finish_streaming();
  }
#endif
};

#ifdef CARTWRIGHT_PACKS
/// Packs begin where lines of the cache do in a field's memory.
template <PackLength longest, class Kernel, int D, class Body>
[[gnu::always_inline]] inline void for_points_of_row(const InPacks<Kernel>& /*kernel*/,
                                                     const Index<D>& first, const int end,
                                                     const Body& body) {
  constexpr bool whole_lines = longest == PackLength::line && points_of_vector < points_of_line;
  Index<D> i = first;
  const auto begins = [&](int points) { return i[0] % points == 0 && i[0] + points <= end; };
  while (i[0] < end) {
    if constexpr (whole_lines) {
      if (begins(points_of_line)) {
        body(PackIndex<D, points_of_line>{i});
        i[0] += points_of_line;
        continue;
      }
    }
    if (begins(points_of_vector)) {
      body(PackIndex<D, points_of_vector>{i});
      i[0] += points_of_vector;
    } else {
      body(Index<D>(i));
      ++i[0];
    }
  }
}
#endif

/// Lets the framework call a kernel with packs of neighbouring points, where the processor has
/// vectors: `exchange(f).overlap(in_packs(KOKKOS_LAMBDA(const auto& i) { … }))`. For kernels that a
/// compiler leaves scalar (g++ 12: the collision of lattice Boltzmann). The fields that it uses are
/// captured as packs(field); `auto` is a double or a pack of them, choose() stands for `if`. Scalar
/// on devices and at the ends of rows: the same bits.
template <class Kernel>
[[nodiscard]] InPacks<Kernel> in_packs(const Kernel& kernel) {
  return {kernel};
}

}  // namespace cartwright::grid
