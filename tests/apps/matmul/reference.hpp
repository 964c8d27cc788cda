// SPDX-License-Identifier: Apache-2.0
// Products to compare with, and process grids to try.
#pragma once

#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/grid/field/block_matrix_fill.hpp>
#include <memory>
#include <string>
#include <vector>

#include "engines.hpp"

namespace matmul_test {

namespace cw = cartwright;

struct Shape {
  long long rows, inner, columns;
};

/// All ways to arrange `ranks` as columns x rows.
inline std::vector<std::vector<int>> process_grids(int ranks) {
  std::vector<std::vector<int>> grids;
  for (int columns = 1; columns <= ranks; ++columns)
    if (ranks % columns == 0) grids.push_back({columns, ranks / columns});
  return grids;
}

/// A process grid of all ranks.
class Grid {
 public:
  explicit Grid(const std::vector<int>& dims,
                cw::comm::BackendId backend = cw::comm::BackendId::automatic)
      : world_(cw::rt::Communicator::duplicate(MPI_COMM_WORLD)) {
    engine_.set_oversubscribed(true);
    cw::comm::CartOptions options;
    options.dims = dims;
    options.settings.backend = backend;
    cart_ = std::make_unique<cw::comm::CartComm>(world_, engine_, options);
  }
  [[nodiscard]] const cw::comm::CartComm& operator*() const { return *cart_; }

 private:
  cw::rt::Communicator world_;
  cw::rt::ProgressEngine engine_;
  std::unique_ptr<cw::comm::CartComm> cart_;
};

/// A small whole number that depends on the place: products of such matrices are exact.
inline double element(int seed, long long row, long long column) {
  return static_cast<double>((row * 7 + column * 13 + seed * 5) % 11 - 5);
}

inline void fill(matmul::Matrix& matrix, int seed) {
  for (long long i = 0; i < matrix.local_rows(); ++i)
    for (long long j = 0; j < matrix.local_columns(); ++j)
      *matrix.at(i, j) = element(seed, matrix.global_row(i), matrix.global_column(j));
}

/// How many of this rank's elements of C differ from the sum over A(1) B(2).
inline long long wrong_elements(const matmul::Matrix& c, long long inner) {
  long long wrong = 0;
  for (long long i = 0; i < c.local_rows(); ++i)
    for (long long j = 0; j < c.local_columns(); ++j) {
      double sum = 0.0;
      for (long long k = 0; k < inner; ++k)
        sum += element(1, c.global_row(i), k) * element(2, k, c.global_column(j));
      if (*c.at(i, j) != sum) ++wrong;
    }
  return wrong;
}

/// Plain, or block-cyclic if `block` isn't 0.
inline matmul::Matrix make(const cw::comm::CartComm& cart, long long rows, long long columns,
                           long long block) {
  return block == 0 ? matmul::Matrix::plain(cart, rows, columns)
                    : matmul::Matrix::cyclic(cart, rows, columns, block);
}

}  // namespace matmul_test
