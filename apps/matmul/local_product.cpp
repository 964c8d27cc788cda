// SPDX-License-Identifier: Apache-2.0
#include "local_product.hpp"

#include <cblas.h>

#include <algorithm>
#include <cmath>

namespace matmul {

namespace {

/// Rows of C of one call of dgemm: long enough that packing B again for each chunk costs little
/// (1/rows of the work), short enough that messages don't wait for the next poll.
long long rows_of_chunk(const ProductShape& shape) {
  constexpr long long fewest = 512;
  constexpr double operations = 4.0e8;  // 5 to 20 ms on one core of our day
  const double row = 2.0 * static_cast<double>(shape.columns) * static_cast<double>(shape.inner);
  const auto wanted = static_cast<long long>(std::ceil(operations / row));
  const long long chunks = std::max(1LL, shape.rows / std::max(fewest, wanted));
  return (shape.rows + chunks - 1) / chunks;
}

}  // namespace

void multiply_locally(const Panels& panels, Phases& phases, ProductShape shape, Tile a, Tile b,
                      double* c, long long c_stride, bool overwrites) {
  if (shape.rows == 0 || shape.columns == 0) return;
  if (shape.inner == 0 && !overwrites) return;
  const long long chunk = shape.inner == 0 ? shape.rows : rows_of_chunk(shape);
  for (long long row = 0; row < shape.rows; row += chunk) {
    {
      const auto timed = phases.time(Phase::dgemm);
      cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans,
                  static_cast<blasint>(std::min(chunk, shape.rows - row)),
                  static_cast<blasint>(shape.columns), static_cast<blasint>(shape.inner), 1.0,
                  a.data + row * a.stride, static_cast<blasint>(std::max(1LL, a.stride)), b.data,
                  static_cast<blasint>(std::max(1LL, b.stride)), overwrites ? 0.0 : 1.0,
                  c + row * c_stride, static_cast<blasint>(c_stride));
    }
    const auto timed = phases.time(Phase::poll);
    panels.poll();
  }
}

void set_blas_threads(int threads) {
  openblas_set_num_threads(threads);
}

const char* blas_name() {
  return openblas_get_config();
}

}  // namespace matmul
