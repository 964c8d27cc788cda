// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/field/block_matrix.hpp>
#include <string>
#include <utility>
#include <vector>

#include "phases.hpp"

namespace matmul {

using Matrix = cartwright::grid::BlockMatrix<double>;

/// Who multiplies.
enum class Algorithm {
  summa,   ///< van de Geijn and Watts 1997: panels of A along rows, of B along columns
  cannon,  ///< Cannon 1969: blocks of A roll along rows, of B along columns
  fox,     ///< Fox 1987, Karlsson 2012: blocks of A along rows, B rolls along columns
  pdgemm   ///< ScaLAPACK
};
[[nodiscard]] const std::vector<std::pair<std::string, Algorithm>>& algorithms();
[[nodiscard]] std::string name(Algorithm algorithm);

struct Tuning {
  long long panel = 256;          ///< SUMMA: columns of A that a step broadcasts, at most
  int look_ahead = 2;             ///< SUMMA: panels on their way while one is multiplied
  long long segment = 1LL << 17;  ///< Cannon, Fox: elements of one message of a shift, at most
};

/// Collective. C = A B, all on one process grid of any shape: (rows x inner) (inner x columns).
/// SUMMA takes any distributions in which A's rows and C's, B's columns and C's agree. Cannon and
/// Fox want plain ones, pdgemm block-cyclic ones with one square block size. Throws an internal
/// failure where operands don't fit.
void multiply(Algorithm algorithm, const Matrix& a, const Matrix& b, Matrix& c,
              const Tuning& tuning, Phases& phases);

void multiply_summa(const Matrix& a, const Matrix& b, Matrix& c, const Tuning& tuning,
                    Phases& phases);
void multiply_cannon(const Matrix& a, const Matrix& b, Matrix& c, const Tuning& tuning,
                     Phases& phases);
void multiply_fox(const Matrix& a, const Matrix& b, Matrix& c, const Tuning& tuning,
                  Phases& phases);
void multiply_pdgemm(const Matrix& a, const Matrix& b, Matrix& c, Phases& phases);

}  // namespace matmul
