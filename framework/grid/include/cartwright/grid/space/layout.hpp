// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/space/block.hpp>
#include <cartwright/grid/space/box.hpp>
#include <cstddef>
#include <cstdint>

namespace cartwright::grid {

/// What two fields must share to use the same exchange plan.
struct FieldShape {
  Centring centring = Centring::cell;
  int halo = 1;
  bool corners = false;
  std::size_t element_bytes = sizeof(double);
  friend bool operator==(const FieldShape&, const FieldShape&) = default;
};

/// How a block's points and ghosts lie in memory: x fastest, rows padded so that the first owned
/// point of every row stands at the start of a cache line.
template <int D>
struct Layout {
  static constexpr std::size_t cache_line = 64;
  static constexpr std::ptrdiff_t page = 4096;

  /// `arrays`: how many there are, of `element_bytes` an element, one behind the other.
  Layout(const Index<D>& owned_extent, int halo_width, std::size_t element_bytes, int arrays = 1)
      : extent(owned_extent), halo(halo_width) {
    const auto align = static_cast<std::ptrdiff_t>(
        cache_line % element_bytes == 0 ? cache_line / element_bytes : 1);
    const auto rounded_up = [align](std::ptrdiff_t n) { return (n + align - 1) / align * align; };
    stride[0] = 1;
    // A row's low ghosts stand behind the high ghosts of the row before it: both in one cache line.
    const std::ptrdiff_t before_first_row = rounded_up(halo);
    origin = before_first_row;
    elements = rounded_up(extent[0] + 2 * halo);
    // Rows a multiple of a page apart compete for the same cache sets.
    if (D > 1 && elements * static_cast<std::ptrdiff_t>(element_bytes) % page == 0)
      elements += align;
    for (int axis = 1; axis < D; ++axis) {
      stride[axis] = elements;
      origin += halo * stride[axis];
      elements *= extent[axis] + 2 * halo;
    }
    elements += before_first_row;
    component_stride = elements;
    if (arrays == 1) return;
    // The same point of all arrays is read at once: not from the same cache set.
    component_stride = rounded_up(elements);
    const std::ptrdiff_t odd_lines = (component_stride / align) % 2 == 0 ? align : 0;
    component_stride += odd_lines;
    elements = component_stride * arrays;
  }

  [[nodiscard]] Box<D> owned() const { return {Index<D>{}, extent}; }
  [[nodiscard]] Box<D> with_ghosts() const {
    Box<D> box = owned();
    for (int axis = 0; axis < D; ++axis) {
      box.lower[axis] -= halo;
      box.upper[axis] += halo;
    }
    return box;
  }

  Index<D> extent;
  int halo;
  std::ptrdiff_t stride[D];
  std::ptrdiff_t origin;            ///< elements before the first owned point
  std::ptrdiff_t elements;          ///< elements in all
  std::ptrdiff_t component_stride;  ///< from an array to the next one
};

}  // namespace cartwright::grid
