// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/grid/space/axis_distribution.hpp>
#include <cartwright/rt/error.hpp>
#include <cstddef>
#include <span>
#include <vector>

namespace cartwright::grid {

/// A dense matrix over the ranks of a 2-D CartComm, in host memory. Axis 0 (x) of the process grid
/// divides the columns, axis 1 (y) the rows: ranks along axis 0 share rows. Each rank keeps its
/// elements row by row without gaps; a rank may have none. Starts with zeros.
template <class T>
class BlockMatrix {
 public:
  /// Throws an internal failure unless `cart` is 2-D and the distributions have its parts.
  BlockMatrix(const comm::CartComm& cart, AxisDistribution rows, AxisDistribution columns)
      : cart_(&cart), rows_(rows), columns_(columns) {
    if (cart.dimensions() != 2 || rows.parts() != cart.dims()[1] ||
        columns.parts() != cart.dims()[0])
      throw rt::internal_failure("a matrix does not fit its process grid",
                                 "Rows are divided along axis 1, columns along axis 0.",
                                 rt::Reach::all_ranks);
    local_rows_ = rows_.count(cart.coordinates()[1]);
    local_columns_ = columns_.count(cart.coordinates()[0]);
    values_.resize(static_cast<std::size_t>(local_rows_) *
                   static_cast<std::size_t>(local_columns_));
  }
  /// One block a rank, as even as can be.
  [[nodiscard]] static BlockMatrix plain(const comm::CartComm& cart, long long rows,
                                         long long columns) {
    return {cart, AxisDistribution::plain(rows, cart.dims()[1]),
            AxisDistribution::plain(columns, cart.dims()[0])};
  }
  /// Block-cyclic with square blocks, as ScaLAPACK wants it.
  [[nodiscard]] static BlockMatrix cyclic(const comm::CartComm& cart, long long rows,
                                          long long columns, long long block) {
    return {cart, AxisDistribution::cyclic(rows, cart.dims()[1], block),
            AxisDistribution::cyclic(columns, cart.dims()[0], block)};
  }

  [[nodiscard]] const comm::CartComm& cart() const noexcept { return *cart_; }
  [[nodiscard]] const AxisDistribution& rows() const noexcept { return rows_; }
  [[nodiscard]] const AxisDistribution& columns() const noexcept { return columns_; }
  [[nodiscard]] long long local_rows() const noexcept { return local_rows_; }
  /// Also the distance between rows in memory.
  [[nodiscard]] long long local_columns() const noexcept { return local_columns_; }

  [[nodiscard]] std::span<T> values() noexcept { return values_; }
  [[nodiscard]] std::span<const T> values() const noexcept { return values_; }
  /// By this rank's own row and column, from 0.
  [[nodiscard]] T* at(long long row, long long column) noexcept {
    return values_.data() + row * local_columns_ + column;
  }
  [[nodiscard]] const T* at(long long row, long long column) const noexcept {
    return values_.data() + row * local_columns_ + column;
  }
  /// Where this rank's row or column is in the whole matrix.
  [[nodiscard]] long long global_row(long long row) const noexcept {
    return rows_.global(cart_->coordinates()[1], row);
  }
  [[nodiscard]] long long global_column(long long column) const noexcept {
    return columns_.global(cart_->coordinates()[0], column);
  }

 private:
  const comm::CartComm* cart_;
  AxisDistribution rows_, columns_;
  long long local_rows_ = 0, local_columns_ = 0;
  std::vector<T> values_;
};

}  // namespace cartwright::grid
