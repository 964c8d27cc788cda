// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/field/block_matrix.hpp>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace cartwright::grid {

/// Matrices that need no file.
enum class MatrixKind {
  zeros,
  ones,
  identity,
  index,    ///< row * columns + column
  hilbert,  ///< 1 / (row + column + 1)
  random    ///< even in [-1, 1)
};

/// Names of decks and their kinds.
[[nodiscard]] const std::vector<std::pair<std::string, MatrixKind>>& matrix_kinds();

/// An even random number in [-1, 1) of 53 bits that depends on `seed` and `index` alone
/// (splitmix64, Steele, Lea and Flood 2014).
[[nodiscard]] double random_element(std::uint64_t seed, std::uint64_t index) noexcept;

/// One element, by its place in a matrix of `columns` columns; the same on any process grid.
[[nodiscard]] double matrix_element(MatrixKind kind, std::uint64_t seed, long long columns,
                                    long long row, long long column) noexcept;

/// Sets all elements; no communication. T: float or double.
template <class T>
void fill(BlockMatrix<T>& matrix, MatrixKind kind, std::uint64_t seed = 0);

}  // namespace cartwright::grid
