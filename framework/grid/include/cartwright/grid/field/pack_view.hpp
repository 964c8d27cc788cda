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
/// FieldView, and with packs of points. What it only reads (`const T`) a view gives as values:
/// `const auto here = u(i)` is a number or a Vector, or a pack of them; numbers of other types,
/// such as masks, it gives as packs of doubles. What a kernel may set stays where it is: there,
/// `const NumberAt<Point> here = u(i)` is a copy.
template <class T, int D>
class PackView {
 public:
  using Element = ElementOf<T>;
  static constexpr int dimensions = D;

 private:
  static constexpr int components = ElementTraits<Element>::components;
  using Scalar = typename ElementTraits<Element>::Scalar;
  using Stored = std::conditional_t<std::is_const_v<T>, const Scalar, Scalar>;

 public:
  PackView() = default;
  PackView(const FieldView<T, D>& view, std::ptrdiff_t component_stride, bool past_caches)
      : view_(view), component_stride_(component_stride), past_caches_(past_caches) {}

  KOKKOS_INLINE_FUNCTION decltype(auto) operator()(const Index<D>& i) const {
    if constexpr (std::is_const_v<T> && is_in_arrays<T>)
      return Element(view_(i));
    else
      return view_(i);
  }
#ifdef CARTWRIGHT_PACKS
  template <int points>
  auto operator()(const PackIndex<D, points>& i) const {
    static_assert(
        std::is_same_v<Scalar, double> || (std::is_const_v<T> && std::is_arithmetic_v<Element>),
        "cartwright: packs are of doubles: Field<double, D>, Field<Vector<double, N>, D> "
        "or Field<Arrays<Vector<double, N>>, D>; of fields of other numbers there is "
        "packs(field).reading(), which gives them as doubles");
    using Value = ValueAt<Element, PackIndex<D, points>>;
    using Given = std::conditional_t<std::is_const_v<T>, Value, InPlace<points>>;
    if constexpr (std::is_arithmetic_v<Element>) {
      return Given(InPlace<points>(&view_(i.first), 1, past_caches_));
    } else {
      const std::ptrdiff_t stride = is_in_arrays<T> ? 1 : components;
      return Given(InPlace<points>(&view_(i.first)[0], stride, component_stride_, past_caches_));
    }
  }
#endif
  [[nodiscard]] KOKKOS_INLINE_FUNCTION double inverse_spacing(int axis) const {
    return view_.inverse_spacing(axis);
  }
  /// True if cells are cubes: inverse_spacing is the same number along all axes.
  [[nodiscard]] KOKKOS_INLINE_FUNCTION bool has_equal_spacings() const {
    return view_.has_equal_spacings();
  }
  /// The same storage, to be read only.
  [[nodiscard]] PackView<const T, D> reading() const {
    return {view_.reading(), component_stride_, past_caches_};
  }

 private:
#ifdef CARTWRIGHT_PACKS
  template <int points>
  using InPlace =
      std::conditional_t<std::is_arithmetic_v<Element>, PackNumber<Stored, PackOf<points>, false>,
                         PackElement<Stored, components, PackOf<points>>>;
#endif

  FieldView<T, D> view_;
  std::ptrdiff_t component_stride_ = 1;
  bool past_caches_ = false;
};

/// For kernels that in_packs() runs: as `field.view()`. What they write is stored past the caches
/// where the field is too large for them: a kernel must not read it in the same sweep.
template <class T, int D>
[[nodiscard]] PackView<T, D> packs(Field<T, D>& field) {
  const auto bytes = static_cast<std::size_t>(field.owned().size()) * sizeof(ElementOf<T>);
  return {field.view(), is_in_arrays<T> ? field.layout().component_stride : 1,
          leaves_caches(bytes)};
}
/// To be read only.
template <class T, int D>
[[nodiscard]] PackView<const T, D> packs(const Field<T, D>& field) {
  return {field.view(), is_in_arrays<T> ? field.layout().component_stride : 1, false};
}

}  // namespace cartwright::grid
