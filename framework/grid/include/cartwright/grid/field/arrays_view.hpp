// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Kokkos_Core.hpp>
#include <cartwright/grid/field/field_view.hpp>
#include <cartwright/grid/space/vector.hpp>

namespace cartwright::grid {

/// An element whose components lie in arrays of their own: reads as V, and is set as one. `Stored`:
/// the component's type, const where it is only read.
template <class V, class Stored>
class ArraysElement {
 public:
  KOKKOS_INLINE_FUNCTION ArraysElement(Stored* first, std::ptrdiff_t stride)
      : first_(first), stride_(stride) {}
  ArraysElement(const ArraysElement&) = default;

  KOKKOS_INLINE_FUNCTION Stored& operator[](int component) const {
    return first_[component * stride_];
  }
  // NOLINTNEXTLINE(google-explicit-constructor): it is one
  KOKKOS_INLINE_FUNCTION operator V() const {
    V value;
    for (int c = 0; c < ElementTraits<V>::components; ++c) value[c] = first_[c * stride_];
    return value;
  }
  KOKKOS_INLINE_FUNCTION const ArraysElement& operator=(const V& value) const {
    for (int c = 0; c < ElementTraits<V>::components; ++c) first_[c * stride_] = value[c];
    return *this;
  }
  /// Sets what lies there: it isn't a reference to something else afterwards.
  // NOLINTNEXTLINE(misc-unconventional-assign-operator,bugprone-unhandled-self-assignment)
  KOKKOS_INLINE_FUNCTION const ArraysElement& operator=(const ArraysElement& other) const {
    return *this = V(other);
  }
  KOKKOS_INLINE_FUNCTION const ArraysElement& operator+=(const V& value) const {
    for (int c = 0; c < ElementTraits<V>::components; ++c) first_[c * stride_] += value[c];
    return *this;
  }

 private:
  Stored* first_;
  std::ptrdiff_t stride_;
};

/// What a kernel sees of a Field<Arrays<V>, D>: see FieldView. `operator()` gives an ArraysElement.
template <class T, int D>
requires(is_in_arrays<T>) class FieldView<T, D> {
 public:
  using Element = ElementOf<T>;
  static constexpr int dimensions = D;
  using Scalar = typename ElementTraits<Element>::Scalar;
  using Stored = std::conditional_t<std::is_const_v<T>, const Scalar, Scalar>;

  FieldView() = default;
  FieldView(Stored* origin, const Layout<D>& layout, const double (&inverse_spacing)[D],
            std::uint64_t token)
      : origin_(origin), component_stride_(layout.component_stride), token_(token) {
    for (int axis = 0; axis < D; ++axis) {
      if (axis > 0) outer_stride_[axis - 1] = layout.stride[axis];
      inverse_spacing_[axis] = inverse_spacing[axis];
      has_equal_spacings_ = has_equal_spacings_ && inverse_spacing[axis] == inverse_spacing[0];
    }
  }

  KOKKOS_INLINE_FUNCTION ArraysElement<Element, Stored> operator()(const Index<D>& i) const {
    std::ptrdiff_t offset = i[0];
    for (int axis = 1; axis < D; ++axis) offset += i[axis] * outer_stride_[axis - 1];
    return {origin_ + offset, component_stride_};
  }
  /// One component of it.
  [[nodiscard]] KOKKOS_INLINE_FUNCTION Stored& component(const Index<D>& i, int c) const {
    return (*this)(i)[c];
  }
  template <std::integral... Number>
  Element& operator()(Number...) const
      noexcept(refused::ViewCalledWithNumbers<std::common_type_t<Number...>>::value);
  template <int points>
  Element& operator()(const PackIndex<D, points>&) const
      noexcept(refused::ViewCalledWithPack<D>::value);

  /// The elements of the row of `start`, from it on.
  struct Row {
    Stored* first;
    std::ptrdiff_t stride;
    KOKKOS_INLINE_FUNCTION ArraysElement<Element, Stored> operator[](int x) const {
      return {first + x, stride};
    }
  };
  [[nodiscard]] KOKKOS_INLINE_FUNCTION Row row(const Index<D>& start) const {
    return {&(*this)(start)[0], component_stride_};
  }

  [[nodiscard]] KOKKOS_INLINE_FUNCTION double inverse_spacing(int axis) const {
    return inverse_spacing_[axis];
  }
  /// True if cells are cubes: inverse_spacing is the same number along all axes.
  [[nodiscard]] KOKKOS_INLINE_FUNCTION bool has_equal_spacings() const {
    return has_equal_spacings_;
  }
  /// This view; a compiler that sees the number sees how kernels are to go on.
  [[nodiscard]] KOKKOS_INLINE_FUNCTION FieldView with_equal_spacings(bool are_equal) const {
    FieldView result = *this;
    result.has_equal_spacings_ = are_equal;
    return result;
  }
  /// Distance between the same component of neighbours along `axis`.
  [[nodiscard]] KOKKOS_INLINE_FUNCTION std::ptrdiff_t stride(int axis) const {
    return axis == 0 ? 1 : outer_stride_[axis - 1];
  }

  /// Shows at `i` what this view shows at `i.shifted(axis, distance)`.
  [[nodiscard]] KOKKOS_INLINE_FUNCTION FieldView shifted(int axis, int distance) const {
    FieldView result = *this;
    result.origin_ += distance * stride(axis);
    return result;
  }

  /// The same storage, to be read only.
  [[nodiscard]] KOKKOS_INLINE_FUNCTION FieldView<const T, D> reading() const {
    FieldView<const T, D> result;
    result.origin_ = origin_;
    result.component_stride_ = component_stride_;
    for (int axis = 0; axis < D; ++axis) result.inverse_spacing_[axis] = inverse_spacing_[axis];
    for (int axis = 1; axis < D; ++axis) result.outer_stride_[axis - 1] = outer_stride_[axis - 1];
    result.has_equal_spacings_ = has_equal_spacings_;
    result.token_ = token_;
    return result;
  }

 private:
  template <class, int>
  friend class FieldView;

  Stored* origin_ = nullptr;
  std::ptrdiff_t outer_stride_[D > 1 ? D - 1 : 1] = {};
  std::ptrdiff_t component_stride_ = 0;
  double inverse_spacing_[D] = {};
  bool has_equal_spacings_ = true;
  std::uint64_t token_ = 0;
};

static_assert(std::is_trivially_copyable_v<FieldView<Arrays<Vector<double, 2>>, 3>>);

}  // namespace cartwright::grid
