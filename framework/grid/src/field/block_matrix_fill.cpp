// SPDX-License-Identifier: Apache-2.0
#include <cartwright/grid/field/block_matrix_fill.hpp>
#include <cartwright/grid/space/random_number.hpp>

namespace cartwright::grid {

const std::vector<std::pair<std::string, MatrixKind>>& matrix_kinds() {
  static const std::vector<std::pair<std::string, MatrixKind>> kinds{
      {"random", MatrixKind::random},   {"ones", MatrixKind::ones},
      {"zeros", MatrixKind::zeros},     {"identity", MatrixKind::identity},
      {"hilbert", MatrixKind::hilbert}, {"index", MatrixKind::index}};
  return kinds;
}

double random_element(std::uint64_t seed, std::uint64_t index) noexcept {
  return 2.0 * random_number(seed, index) - 1.0;
}

double matrix_element(MatrixKind kind, std::uint64_t seed, long long columns, long long row,
                      long long column) noexcept {
  switch (kind) {
    case MatrixKind::zeros:
      return 0.0;
    case MatrixKind::ones:
      return 1.0;
    case MatrixKind::identity:
      return row == column ? 1.0 : 0.0;
    case MatrixKind::index:
      return static_cast<double>(row * columns + column);
    case MatrixKind::hilbert:
      return 1.0 / static_cast<double>(row + column + 1);
    case MatrixKind::random:
      return random_element(seed, static_cast<std::uint64_t>(row * columns + column));
  }
  return 0.0;
}

template <class T>
void fill(BlockMatrix<T>& matrix, MatrixKind kind, std::uint64_t seed) {
  const long long columns = matrix.columns().extent();
  for (long long i = 0; i < matrix.local_rows(); ++i) {
    const long long row = matrix.global_row(i);
    for (long long j = 0; j < matrix.local_columns(); ++j)
      *matrix.at(i, j) =
          static_cast<T>(matrix_element(kind, seed, columns, row, matrix.global_column(j)));
  }
}

template void fill(BlockMatrix<float>&, MatrixKind, std::uint64_t);
template void fill(BlockMatrix<double>&, MatrixKind, std::uint64_t);

}  // namespace cartwright::grid
