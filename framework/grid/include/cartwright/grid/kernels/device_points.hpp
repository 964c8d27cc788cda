// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/kernels/execution.hpp>
#include <cartwright/grid/space/box.hpp>

namespace cartwright::grid {

/// Threads of a block along each axis: `threads` together, first along x, where neighbours have
/// neighbouring elements.
template <int D>
struct ThreadBlock {
  static constexpr int threads = 256, along_row = 64,
                       along_last_axis = 64;  // the last: CUDA's limit

  explicit ThreadBlock(const Box<D>& box) {
    int left = threads;
    for (int axis = 0; axis < D; ++axis) {
      const int most = axis == 0                             ? along_row
                       : axis == 2 && left > along_last_axis ? along_last_axis
                                                             : left;
      extent[axis] = 1;
      while (2 * extent[axis] <= most && extent[axis] < box.extent(axis)) extent[axis] *= 2;
      left /= extent[axis];
    }
  }
  int extent[D];
};

/// Begins `kernel(i)` for every point of `box`, a thread a point. Doesn't wait.
template <class Kernel>
void for_each_point_on_device(const Box<1>& box, const Kernel& kernel) {
  const Kernel point_kernel = kernel;
  Kokkos::parallel_for(
      "cartwright::points",
      Kokkos::RangePolicy<Execution, Kokkos::IndexType<int>>(box.lower[0], box.upper[0]),
      KOKKOS_LAMBDA(const int x) { point_kernel(Index<1>{{x}}); });
}
template <class Kernel>
void for_each_point_on_device(const Box<2>& box, const Kernel& kernel) {
  using Policy =
      Kokkos::MDRangePolicy<Execution,
                            Kokkos::Rank<2, Kokkos::Iterate::Left, Kokkos::Iterate::Left>,
                            Kokkos::IndexType<int>>;
  const Kernel point_kernel = kernel;
  const ThreadBlock<2> block(box);
  Kokkos::parallel_for(
      "cartwright::points",
      Policy({box.lower[0], box.lower[1]}, {box.upper[0], box.upper[1]},
             {block.extent[0], block.extent[1]}),
      KOKKOS_LAMBDA(const int x, const int y) {
        point_kernel(Index<2>{{x, y}});
      });
}
template <class Kernel>
void for_each_point_on_device(const Box<3>& box, const Kernel& kernel) {
  using Policy =
      Kokkos::MDRangePolicy<Execution,
                            Kokkos::Rank<3, Kokkos::Iterate::Left, Kokkos::Iterate::Left>,
                            Kokkos::IndexType<int>>;
  const Kernel point_kernel = kernel;
  const ThreadBlock<3> block(box);
  Kokkos::parallel_for(
      "cartwright::points",
      Policy({box.lower[0], box.lower[1], box.lower[2]}, {box.upper[0], box.upper[1], box.upper[2]},
             {block.extent[0], block.extent[1], block.extent[2]}),
      KOKKOS_LAMBDA(const int x, const int y, const int z) {
        point_kernel(Index<3>{{x, y, z}});
      });
}

}  // namespace cartwright::grid
