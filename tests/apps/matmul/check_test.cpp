// SPDX-License-Identifier: Apache-2.0
#include "check.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "reference.hpp"

namespace matmul_test {
namespace {

using matmul::Matrix;

struct Product {
  Grid grid{std::vector<int>{1, cw::rt::Communicator::duplicate(MPI_COMM_WORLD).size()}};
  Matrix a = make(*grid, 60, 45, 0), b = make(*grid, 45, 52, 0), c = make(*grid, 60, 52, 0);
  cw::rt::Trace trace;
  matmul::Phases phases{trace};

  Product() {
    cw::grid::fill(a, cw::grid::MatrixKind::random, 1);
    cw::grid::fill(b, cw::grid::MatrixKind::random, 2);
    matmul::multiply(matmul::Algorithm::summa, a, b, c, {.panel = 10}, phases);
  }
  /// Adds to one element, on the rank that has it.
  void spoil(long long row, long long column, double by) {
    if (c.rows().owner(row) == c.cart().coordinates()[1] &&
        c.columns().owner(column) == c.cart().coordinates()[0])
      *c.at(c.rows().local(row), c.columns().local(column)) += by;
  }
};

TEST(Check, RightProductsPass) {
  Product product;
  const double residual = matmul::freivalds_residual(product.a, product.b, product.c);
  EXPECT_GT(residual, 0.0);
  EXPECT_LT(residual, 0.2);
  const Matrix other =
      matmul::product_by_pdgemm(product.a, product.b, product.c, 8, product.phases);
  EXPECT_LT(matmul::scaled_difference(product.a, product.b, product.c, other), 0.5);
}

TEST(Check, OneWrongElementIsFound) {
  for (const long long row : {0, 31, 59}) {
    Product product;
    const Matrix right =
        matmul::product_by_pdgemm(product.a, product.b, product.c, 8, product.phases);
    product.spoil(row, row % 52, 1.0e-9);
    EXPECT_GT(matmul::freivalds_residual(product.a, product.b, product.c), 1.0);
    EXPECT_GT(matmul::scaled_difference(product.a, product.b, product.c, right), 1.0);
  }
}

TEST(Check, WhatIsNoNumberIsWrong) {
  Product product;
  product.spoil(7, 3, std::numeric_limits<double>::quiet_NaN());
  EXPECT_TRUE(std::isinf(matmul::freivalds_residual(product.a, product.b, product.c)));
}

}  // namespace
}  // namespace matmul_test
