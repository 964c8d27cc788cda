// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Kokkos_Core.hpp>
#include <cartwright/grid/space/index.hpp>
#include <cartwright/grid/space/layout.hpp>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace cartwright::grid {

template <int D, int points>
struct PackIndex;

/// What a kernel sees of a field: a pointer, strides and the grid's spacing. Trivially copyable;
/// kernels capture it by value. Valid as long as the field lives; `swap` exchanges which storage a
/// field's *next* view shows, not what an existing view shows.
///
/// A raw-pointer accessor instead of a Kokkos::View, because the compiler vectorises a row of it.
template <class T, int D>
class FieldView {
 public:
  using Element = std::remove_const_t<T>;
  static constexpr int dimensions = D;

  FieldView() = default;
  FieldView(T* origin, const Layout<D>& layout, const double (&inverse_spacing)[D],
            std::uint64_t token)
      : FieldView(origin, layout.stride, inverse_spacing, token) {}
  FieldView(T* origin, const std::ptrdiff_t (&stride)[D], const double (&inverse_spacing)[D],
            std::uint64_t token)
      : origin_(origin), token_(token) {
    for (int axis = 0; axis < D; ++axis) {
      if (axis > 0) outer_stride_[axis - 1] = stride[axis];
      inverse_spacing_[axis] = inverse_spacing[axis];
      has_equal_spacings_ = has_equal_spacings_ && inverse_spacing[axis] == inverse_spacing[0];
    }
  }

  /// The element at local point `i`: owned, or a ghost within the halo.
  KOKKOS_INLINE_FUNCTION T& operator()(const Index<D>& i) const {
    std::ptrdiff_t offset = i[0];
    for (int axis = 1; axis < D; ++axis) offset += i[axis] * outer_stride_[axis - 1];
    return origin_[offset];
  }

  template <std::integral... Number>
  T& operator()(Number...) const
      noexcept(refused::ViewCalledWithNumbers<std::common_type_t<Number...>>::value);
  template <int points>
  T& operator()(const PackIndex<D, points>&) const noexcept(refused::ViewCalledWithPack<D>::value);

  /// The elements of the row of `start`, from it on.
  [[nodiscard]] KOKKOS_INLINE_FUNCTION T* row(const Index<D>& start) const {
    return &(*this)(start);
  }

  /// 1 / cell width along `axis`, in the deck's unit of length.
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
  /// Distance in elements between neighbours along `axis`.
  [[nodiscard]] KOKKOS_INLINE_FUNCTION std::ptrdiff_t stride(int axis) const {
    return axis == 0 ? 1 : outer_stride_[axis - 1];
  }
  [[nodiscard]] KOKKOS_INLINE_FUNCTION T* origin() const { return origin_; }

  /// Shows at `i` what this view shows at `i.shifted(axis, distance)`.
  [[nodiscard]] KOKKOS_INLINE_FUNCTION FieldView shifted(int axis, int distance) const {
    FieldView result = *this;
    result.origin_ += distance * stride(axis);
    return result;
  }

  /// The same storage, to be read only.
  [[nodiscard]] KOKKOS_INLINE_FUNCTION FieldView<const Element, D> reading() const {
    FieldView<const Element, D> result;
    result.origin_ = origin_;
    for (int axis = 0; axis < D; ++axis) result.inverse_spacing_[axis] = inverse_spacing_[axis];
    for (int axis = 1; axis < D; ++axis) result.outer_stride_[axis - 1] = outer_stride_[axis - 1];
    result.has_equal_spacings_ = has_equal_spacings_;
    result.token_ = token_;
    return result;
  }

 private:
  template <class, int>
  friend class FieldView;

  T* origin_ = nullptr;
  std::ptrdiff_t outer_stride_[D > 1 ? D - 1 : 1] = {};
  double inverse_spacing_[D] = {};
  bool has_equal_spacings_ = true;
  /// Names the storage behind the view, so that checked mode finds what a kernel has captured.
  std::uint64_t token_ = 0;
};

static_assert(std::is_trivially_copyable_v<FieldView<double, 3>>);

}  // namespace cartwright::grid
