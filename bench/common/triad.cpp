// SPDX-License-Identifier: Apache-2.0
#include "triad.hpp"

#include <cartwright/grid/kernels/streaming_stores.hpp>

namespace cartwright::bench {

Triad::Triad(const peer::Extents& extents) : a_(extents), b_(extents), c_(extents) {
  peer::for_rows(0, extents[1], 0, extents[2], [this, &extents](int y, int z) {
    for (int x = 0; x < extents[0]; ++x) {
      b_.row(y, z)[x] = 1.0;
      c_.row(y, z)[x] = 2.0;
    }
  });
}

void Triad::run() {
  const auto [nx, ny, nz] = a_.extents();
  constexpr double scale = 3.0;
  peer::for_rows(0, ny, 0, nz, [this, nx = nx](int y, int z) {
    double* __restrict a = a_.row(y, z);
    const double* __restrict b = b_.row(y, z);
    const double* __restrict c = c_.row(y, z);
#pragma omp simd
    for (int x = 0; x < nx; ++x) a[x] = b[x] + scale * c[x];
  });
}

StreamedCopy::StreamedCopy(const peer::Extents& extents, int arrays) {
  for (int array = 0; array < arrays; ++array) {
    from_.emplace_back(extents);
    to_.emplace_back(extents);
  }
}

void StreamedCopy::run() {
  for (std::size_t array = 0; array < from_.size(); ++array) {
    const auto [nx, ny, nz] = from_[array].extents();
    peer::for_rows(0, ny, 0, nz, [&, nx = nx](int y, int z) {
      grid::stream(from_[array].row(y, z), to_[array].row(y, z),
                   static_cast<std::size_t>(nx) * sizeof(double));
    });
  }
  grid::finish_streaming();
}

std::size_t Triad::elements() const noexcept {
  const auto [nx, ny, nz] = a_.extents();
  return static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny) * static_cast<std::size_t>(nz);
}

}  // namespace cartwright::bench
