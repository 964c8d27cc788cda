// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/field/field_view.hpp>
#include <cartwright/rt/ring_memory.hpp>
#include <cstddef>
#include <numeric>

namespace cartwright::grid {

/// How the planes across the last axis lie that a step keeps while others are made: the last few of
/// them, in a ring. Its memory is mapped twice, so that neighbouring planes are always a stride
/// apart, and a kernel sees them through the view that it sees a field through. (In one dimension
/// there are no planes, and all points stay.)
template <class Element, int D>
class RingLayout {
 public:
  /// `widest`: the extents of the largest box of points that the ring will hold, ghosts included.
  RingLayout(const Index<D>& widest, int reach) : reach_(reach) {
    row_ = rounded_up(widest[0] + align, align);
    if (D == 3 && static_cast<std::size_t>(row_) * sizeof(Element) % page_bytes == 0) row_ += align;
    plane_ = D == 3 ? row_ * widest[1] : row_;
    planes_ = D == 1 ? 1 : 2 * reach + 1;
    const auto granularity = static_cast<std::ptrdiff_t>(rt::RingMemory::granularity());
    const auto bytes = planes_ * static_cast<std::ptrdiff_t>(sizeof(Element));
    plane_ = rounded_up(plane_, granularity / std::gcd(granularity, bytes));
  }
  [[nodiscard]] std::size_t bytes() const {
    return static_cast<std::size_t>(plane_ * planes_) * sizeof(Element);
  }

  /// The points around plane `plane` of step `step`, where `lowest` is the first point of all,
  /// ghosts included.
  [[nodiscard]] FieldView<Element, D> view(const rt::RingMemory& memory, const Index<D>& lowest,
                                           const double (&inverse_spacing)[D], int step,
                                           int plane) const {
    auto* const first = reinterpret_cast<Element*>(memory.data());
    std::ptrdiff_t stride[D];
    for (int axis = 0; axis < D; ++axis)
      stride[axis] = axis == 0 ? 1 : axis < D - 1 ? row_ : plane_;
    // Cache lines begin at the same points as in the field: multiples of `align`.
    std::ptrdiff_t origin = rounded_up(-lowest[0], align) + shift(step);
    if constexpr (D == 3) origin -= lowest[1] * row_;
    if constexpr (D > 1) {
      int place = plane % planes_;
      if (place < 0) place += planes_;
      if (place < reach_) place += planes_;  // its neighbours below are there
      origin += (place - plane) * plane_;
    }
    return {first + origin, stride, inverse_spacing, 0};
  }

 private:
  /// What one step writes lies elsewhere in a page than what it reads: else a processor takes loads
  /// for such as wait for a store a page apart. Less than a page, for which there is room.
  static constexpr std::ptrdiff_t shift(int step) { return 21 * step % 63 * align; }

  static constexpr std::ptrdiff_t align =
      64 % sizeof(Element) == 0 ? static_cast<std::ptrdiff_t>(64 / sizeof(Element)) : 1;
  /// The next multiple of `unit` that is no less than `n`, which may be negative.
  static constexpr std::ptrdiff_t rounded_up(std::ptrdiff_t n, std::ptrdiff_t unit) {
    return n > 0 ? (n + unit - 1) / unit * unit : -(-n / unit * unit);
  }

  int reach_;
  std::ptrdiff_t row_ = 0, plane_ = 0;
  int planes_ = 1;
};

}  // namespace cartwright::grid
