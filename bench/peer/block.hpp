// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdlib>
#include <memory>

namespace cartwright::bench::peer {

/// Points of a block along x, y, z.
using Extents = std::array<int, 3>;

/// What is beyond a face: the rank of a neighbour, or MPI_PROC_NULL at a physical face.
/// x low, x high, y low, y high, z low, z high.
using Neighbours = std::array<int, 6>;

/// Doubles of one block with one ghost layer, as a careful programmer lays them out by hand: x
/// fastest, every row's first owned point on a cache line, zeroed by the threads that will use
/// them.
class Block {
 public:
  explicit Block(const Extents& extents);

  /// The owned point (0, 0, 0).
  [[nodiscard]] double* origin() const noexcept { return origin_; }
  /// The owned point (0, y, z), or a ghost row.
  [[nodiscard]] double* row(int y, int z) const noexcept {
    return origin_ + y * stride_y_ + z * stride_z_;
  }
  [[nodiscard]] const Extents& extents() const noexcept { return extents_; }
  [[nodiscard]] std::ptrdiff_t stride_y() const noexcept { return stride_y_; }
  [[nodiscard]] std::ptrdiff_t stride_z() const noexcept { return stride_z_; }

 private:
  struct Free {
    void operator()(double* memory) const noexcept { std::free(memory); }
  };
  Extents extents_;
  std::ptrdiff_t stride_y_, stride_z_;
  std::unique_ptr<double, Free> memory_;
  double* origin_;
};

/// Calls row(y, z) for all rows of a range on all threads, x-y planes to threads in one piece.
template <class Row>
void for_rows(int y_begin, int y_end, int z_begin, int z_end, const Row& row) {
#pragma omp parallel for collapse(2) schedule(static)
  for (int z = z_begin; z < z_end; ++z)
    for (int y = y_begin; y < y_end; ++y) row(y, z);
}

}  // namespace cartwright::bench::peer
