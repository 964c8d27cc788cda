// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines.hpp"

namespace matmul {

/// Collective. Freivalds' check (1977) with a vector x of random numbers in [-1, 1): the largest
/// component of |A (B x) - C x| relative to the bound on its rounding errors,
/// eps (K + 2 N) |A| (|B| |x|), where K is the inner extent and N that of C's columns. At most 1
/// for a right product (in practice far below); not a number or infinite where C is.
[[nodiscard]] double freivalds_residual(const Matrix& a, const Matrix& b, const Matrix& c,
                                        std::uint64_t seed = 1);

/// Collective. The largest difference of two products of the same A and B relative to twice the
/// bound on the rounding errors of one, eps K |A_i| |B_j| (norms of a row and a column). `c` and
/// `other` are divided alike. At most 1 where both are right.
[[nodiscard]] double scaled_difference(const Matrix& a, const Matrix& b, const Matrix& c,
                                       const Matrix& other);

/// Collective. A times B by pdgemm, divided as `c` is.
[[nodiscard]] Matrix product_by_pdgemm(const Matrix& a, const Matrix& b, const Matrix& c,
                                       long long block, Phases& phases);

}  // namespace matmul
