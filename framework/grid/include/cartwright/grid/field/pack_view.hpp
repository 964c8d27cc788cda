// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/field/field.hpp>
#include <cartwright/grid/kernels/caches.hpp>
#include <cartwright/grid/kernels/pack.hpp>
#include <cartwright/grid/kernels/streaming_stores.hpp>
#include <cartwright/grid/space/cells.hpp>
#include <cstddef>

namespace cartwright::grid {

#ifdef CARTWRIGHT_PACKS
/// The doubles of a pack in memory, `stride` apart: reads as a pack, and is set as one.
/// `is_component`: of an element, whose other components are read beside it.
template <class Stored, class AsPack, bool is_component>
class PackNumber {
 public:
  PackNumber(Stored* first, std::ptrdiff_t stride, bool past_caches)
      : first_(first), stride_(stride), past_caches_(past_caches) {}
  PackNumber(const PackNumber&) = default;

  // NOLINTNEXTLINE(google-explicit-constructor): it is one
  operator AsPack() const {
    if (stride_ == 1) {
      if (is_component && AsPack::size() == points_of_line) fetch_ahead();
      return AsPack(first_, std::experimental::element_aligned);
    }
    return AsPack([this](auto k) { return first_[static_cast<std::ptrdiff_t>(k) * stride_]; });
  }
  const PackNumber& operator=(const AsPack& value) const {
    if (stride_ != 1) {
      for (std::size_t k = 0; k < AsPack::size(); ++k)
        first_[static_cast<std::ptrdiff_t>(k) * stride_] = value[k];
    } else if (past_caches_) {
      stream_pack(value);
    } else {
      value.copy_to(first_, std::experimental::element_aligned);
    }
    return *this;
  }
  // NOLINTNEXTLINE(misc-unconventional-assign-operator,bugprone-unhandled-self-assignment)
  const PackNumber& operator=(const PackNumber& other) const { return *this = AsPack(other); }

 private:
  /// Whole cache lines only: parts of many rows at once would leave half-filled ones behind.
  void stream_pack(const AsPack& value) const {
    if (AsPack::size() == points_of_line && begins_line(first_)) {
      alignas(64) double line[points_of_line];
      value.copy_to(line, std::experimental::element_aligned);
      stream_lines<sizeof line>(line, first_);
    } else {
      value.copy_to(first_, std::experimental::element_aligned);
    }
  }
  /// Components in arrays of their own are more rows at once than a processor follows by itself
  /// (19 of lattice Boltzmann: 0.9 of the time of a step of 128³).
  void fetch_ahead() const {
    constexpr int lines = 3;
    __builtin_prefetch(first_ + lines * points_of_line);
  }
  Stored* first_;
  std::ptrdiff_t stride_;
  bool past_caches_;
};

/// Elements of a pack that are Vectors of doubles: reads as a Vector of packs, and is set as one.
template <class Stored, int N, class AsPack>
class PackElement {
 public:
  using Value = Vector<AsPack, N>;
  /// `stride`: between points; `component_stride`: between the numbers of one.
  PackElement(Stored* first, std::ptrdiff_t stride, std::ptrdiff_t component_stride,
              bool past_caches)
      : first_(first),
        stride_(stride),
        component_stride_(component_stride),
        past_caches_(past_caches) {}
  PackElement(const PackElement&) = default;

  PackNumber<Stored, AsPack, true> operator[](int component) const {
    return {first_ + component * component_stride_, stride_, past_caches_};
  }
  // NOLINTNEXTLINE(google-explicit-constructor): it is one
  operator Value() const {
    Value value;
    // All of them: packs that a loop finds by their number don't stay in registers.
#pragma GCC unroll 64
    for (int c = 0; c < N; ++c) value[c] = (*this)[c];
    return value;
  }
  const PackElement& operator=(const Value& value) const {
#pragma GCC unroll 64
    for (int c = 0; c < N; ++c) (*this)[c] = value[c];
    return *this;
  }
  // NOLINTNEXTLINE(misc-unconventional-assign-operator,bugprone-unhandled-self-assignment)
  const PackElement& operator=(const PackElement& other) const {
    return *this = Value(other);
  }

 private:
  Stored* first_;
  std::ptrdiff_t stride_, component_stride_;
  bool past_caches_;
};
#endif

/// What a kernel of points and packs sees of a field of doubles, or of Vectors of them: as
/// FieldView, and with packs of points.
template <class T, int D>
class PackView {
  using Element = ElementOf<T>;
  static constexpr int components = ElementTraits<T>::components;
  static_assert(
      std::is_same_v<typename ElementTraits<T>::Scalar, double>,
      "cartwright: packs are of doubles: Field<double, D>, Field<Vector<double, N>, D> or "
      "Field<Arrays<Vector<double, N>>, D>");

 public:
  PackView(const FieldView<T, D>& view, std::ptrdiff_t component_stride, bool past_caches)
      : view_(view), component_stride_(component_stride), past_caches_(past_caches) {}

  KOKKOS_INLINE_FUNCTION decltype(auto) operator()(const Index<D>& i) const { return view_(i); }
#ifdef CARTWRIGHT_PACKS
  template <int points>
  auto operator()(const PackIndex<D, points>& i) const {
    if constexpr (std::is_same_v<Element, double>) {
      return PackNumber<double, PackOf<points>, false>(&view_(i.first), 1, past_caches_);
    } else {
      const std::ptrdiff_t stride = is_in_arrays<T> ? 1 : components;
      return PackElement<double, components, PackOf<points>>(&view_(i.first)[0], stride,
                                                             component_stride_, past_caches_);
    }
  }
#endif
  [[nodiscard]] KOKKOS_INLINE_FUNCTION double inverse_spacing(int axis) const {
    return view_.inverse_spacing(axis);
  }

 private:
  FieldView<T, D> view_;
  std::ptrdiff_t component_stride_;
  bool past_caches_;
};

/// 1 / width of the cells around point `i`, or around a pack of points: as of a FieldView.
template <class T, int D, class Point>
KOKKOS_INLINE_FUNCTION double inverse_width(const PackView<T, D>& u, const Point& /*i*/, int axis,
                                            const EqualCells<D>& /*cells*/ = {}) {
  return u.inverse_spacing(axis);
}
template <class T, int D, class Point>
KOKKOS_INLINE_FUNCTION auto inverse_width(const PackView<T, D>& /*u*/, const Point& i, int axis,
                                          const StretchedCells<D>& cells) {
  return cells.own(i, axis);
}

/// The mean of the values at point `i` and the one below it, in the middle of cells; of packs of
/// points, packs: as of a FieldView.
template <class T, int D, class Point, class Cells = EqualCells<D>>
KOKKOS_INLINE_FUNCTION auto mean_below(const PackView<T, D>& u, const Point& i, int axis,
                                       const Cells& cells = {}) {
  using Value = ValueAt<ElementOf<T>, Point>;
  const Value below = u(i.shifted(axis, -1)), own = u(i);
  if constexpr (std::is_same_v<Cells, EqualCells<D>>) {
    return 0.5 * (below + own);
  } else {
    const auto share = cells.share_below(i, axis);
    return share * below + (1.0 - share) * own;
  }
}

/// For kernels that in_packs() runs: as `field.view()`. What they write is stored past the caches
/// where the field is too large for them: a kernel must not read it in the same sweep.
template <class T, int D>
[[nodiscard]] PackView<T, D> packs(Field<T, D>& field) {
  const auto bytes = static_cast<std::size_t>(field.owned().size()) * sizeof(ElementOf<T>);
  return {field.view(), is_in_arrays<T> ? field.layout().component_stride : 1,
          leaves_caches(bytes)};
}

}  // namespace cartwright::grid
