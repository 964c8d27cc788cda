// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cartwright/grid/space/block.hpp>
#include <cartwright/grid/space/box.hpp>
#include <cartwright/grid/space/crossing.hpp>
#include <cstddef>
#include <cstdint>

namespace cartwright::grid {

/// What two fields must share to use the same exchange plan.
struct FieldShape {
  Centring centring = Centring::cell;
  int halo = 1;
  bool corners = false;
  std::size_t element_bytes = sizeof(double);
  int components = 1;   ///< of an element
  Crossing crossing{};  ///< which of them ghosts hold
  friend bool operator==(const FieldShape&, const FieldShape&) = default;
};

/// What some components of an element take.
[[nodiscard]] inline std::size_t bytes_of(Components which, const FieldShape& shape) {
  if (which == all_components) return shape.element_bytes;
  return static_cast<std::size_t>(std::popcount(which)) * shape.element_bytes /
         static_cast<std::size_t>(shape.components);
}

inline constexpr std::size_t page_bytes = 4096;

/// How many bytes behind `memory` storage `number` of a grid begins, less than a page. Fields of
/// one layout that begin at the same place of a page are read and written a multiple of a page
/// apart, and processors take such loads for ones that wait for the store (Intel's manual of
/// optimization: 4-KiB aliasing): 0.98 to 1.07 times as long for a step of heat
/// (bench_stencil), 1.25 for a loop without blocks on another processor. 7 places, at least 576
/// bytes from each other, each the start of a cache line. The address decides, not what an
/// allocator gives: all ranks of a node find the same place of memory that they map at pages.
[[nodiscard]] inline std::size_t bytes_before_place(const void* memory, int number) {
  const std::size_t place = static_cast<std::size_t>(number) * 1152 % (std::size_t{7} * 576);
  return (place - reinterpret_cast<std::uintptr_t>(memory)) % page_bytes;
}

/// How a block's points and ghosts lie in memory: x fastest, rows padded so that the first owned
/// point of every row stands at the start of a cache line.
template <int D>
struct Layout {
  static constexpr std::size_t cache_line = 64;

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
    if (D > 1 && static_cast<std::size_t>(elements) * element_bytes % page_bytes == 0)
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
