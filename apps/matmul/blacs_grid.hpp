// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/cart_comm.hpp>

#include "engines.hpp"

namespace matmul {

/// ScaLAPACK's view of a process grid, whose rows are our axis 0. Its making and its end are
/// collective.
class BlacsGrid {
 public:
  explicit BlacsGrid(const cartwright::comm::CartComm& cart);
  BlacsGrid(const BlacsGrid&) = delete;
  BlacsGrid& operator=(const BlacsGrid&) = delete;
  ~BlacsGrid();
  [[nodiscard]] int context() const noexcept { return context_; }

 private:
  int system_, context_;
};

/// Collective. C = A B by pdgemm; as `multiply`, for many products on one process grid.
void multiply_pdgemm(const BlacsGrid& grid, const Matrix& a, const Matrix& b, Matrix& c,
                     Phases& phases);

}  // namespace matmul
