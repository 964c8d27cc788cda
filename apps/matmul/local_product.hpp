// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "panels.hpp"
#include "phases.hpp"

namespace matmul {

/// A part of a matrix in memory, row by row.
struct Tile {
  const double* data;
  long long stride;  ///< between rows
};

/// Rows, columns and the length that is summed over.
struct ProductShape {
  long long rows, columns, inner;
};

/// C += A B, or C = A B if `overwrites`; polls between chunks of the work, so that panels arrive
/// meanwhile.
void multiply_locally(const Panels& panels, Phases& phases, ProductShape shape, Tile a, Tile b,
                      double* c, long long c_stride, bool overwrites);

/// Threads of the BLAS library in this process, from now on.
void set_blas_threads(int threads);

/// What computes here: name, kernels.
[[nodiscard]] const char* blas_name();

}  // namespace matmul
