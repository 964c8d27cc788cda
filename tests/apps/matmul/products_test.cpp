// SPDX-License-Identifier: Apache-2.0
// All engines against exact products, on every process grid that the ranks allow.
#include <gtest/gtest.h>

#include <cartwright/rt/trace.hpp>
#include <limits>

#include "local_product.hpp"
#include "reference.hpp"

namespace matmul_test {
namespace {

using matmul::Algorithm;
using matmul::Matrix;

// Uneven, prime, thin; more ranks than rows or columns; one element.
const std::vector<Shape> shapes{{12, 12, 12}, {13, 17, 11}, {1, 1, 1},  {1, 9, 1},  {5, 1, 7},
                                {2, 3, 40},   {40, 3, 2},   {3, 40, 2}, {7, 5, 31}, {24, 1, 1}};

long long wrong_elements_of(Algorithm algorithm, const cw::comm::CartComm& cart, const Shape& shape,
                            long long block, const matmul::Tuning& tuning) {
  Matrix a = make(cart, shape.rows, shape.inner, block);
  Matrix b = make(cart, shape.inner, shape.columns, block);
  Matrix c = make(cart, shape.rows, shape.columns, block);
  fill(a, 1);
  fill(b, 2);
  // What C held before must not matter.
  for (double& value : c.values()) value = std::numeric_limits<double>::quiet_NaN();
  cw::rt::Trace trace;
  matmul::Phases phases(trace);
  matmul::multiply(algorithm, a, b, c, tuning, phases);
  return wrong_elements(c, shape.inner);
}

void try_all(Algorithm algorithm, long long block, const matmul::Tuning& tuning = {}) {
  matmul::set_blas_threads(1);
  const Grid any({1, cw::rt::Communicator::duplicate(MPI_COMM_WORLD).size()});
  for (const auto& dims : process_grids((*any).size())) {
    const Grid grid(dims);
    for (const Shape& shape : shapes)
      EXPECT_EQ(wrong_elements_of(algorithm, *grid, shape, block, tuning), 0)
          << name(algorithm) << " on " << dims[0] << " x " << dims[1] << " ranks: " << shape.rows
          << " x " << shape.inner << " x " << shape.columns << ", block " << block << ", panel "
          << tuning.panel << ", " << tuning.look_ahead << " ahead";
  }
}

TEST(Summa, MultipliesPlainMatrices) {
  try_all(Algorithm::summa, 0);
}
TEST(Summa, TakesAnyPanelAndLookAhead) {
  try_all(Algorithm::summa, 0, {.panel = 1, .look_ahead = 1});
  try_all(Algorithm::summa, 0, {.panel = 3, .look_ahead = 2});
  try_all(Algorithm::summa, 0, {.panel = 5, .look_ahead = 100});
}
TEST(Summa, MultipliesCyclicMatrices) {
  try_all(Algorithm::summa, 1);
  try_all(Algorithm::summa, 4, {.panel = 3, .look_ahead = 3});
}
TEST(Cannon, Multiplies) {
  try_all(Algorithm::cannon, 0);
}
TEST(Cannon, RollsInSmallMessages) {
  try_all(Algorithm::cannon, 0, {.segment = 3});
}
TEST(Fox, Multiplies) {
  try_all(Algorithm::fox, 0);
}
TEST(Fox, RollsInSmallMessages) {
  try_all(Algorithm::fox, 0, {.segment = 5});
}
TEST(Pdgemm, Multiplies) {
  for (const long long block : {1, 5, 64}) try_all(Algorithm::pdgemm, block);
}

TEST(Products, RefuseOperandsThatDoNotFit) {
  const Grid grid({1, cw::rt::Communicator::duplicate(MPI_COMM_WORLD).size()});
  cw::rt::Trace trace;
  matmul::Phases phases(trace);
  Matrix a = make(*grid, 4, 5, 0), b = make(*grid, 5, 3, 0), c = make(*grid, 4, 3, 0);
  Matrix wrong = make(*grid, 6, 3, 0), cyclic = make(*grid, 4, 3, 2);
  const auto tried = [&](Algorithm algorithm, const Matrix& left, const Matrix& right,
                         Matrix& result) {
    EXPECT_THROW(matmul::multiply(algorithm, left, right, result, {}, phases), cw::rt::Error);
  };
  tried(Algorithm::summa, a, wrong, c);
  tried(Algorithm::summa, a, b, cyclic);
  tried(Algorithm::cannon, a, b, cyclic);
  tried(Algorithm::pdgemm, a, b, c);
}

// Larger, with rounding: engines against each other, through the same blocks of dgemm or others.
TEST(Products, AgreeOnRandomMatrices) {
  const Shape shape{150, 333, 127};
  const int ranks = cw::rt::Communicator::duplicate(MPI_COMM_WORLD).size();
  for (const auto& dims : process_grids(ranks)) {
    const Grid grid(dims);
    cw::rt::Trace trace;
    matmul::Phases phases(trace);
    const auto make_random = [&](long long rows, long long columns, std::uint64_t seed) {
      Matrix matrix = make(*grid, rows, columns, 0);
      cw::grid::fill(matrix, cw::grid::MatrixKind::random, seed);
      return matrix;
    };
    const Matrix a = make_random(shape.rows, shape.inner, 1);
    const Matrix b = make_random(shape.inner, shape.columns, 2);
    Matrix first = make(*grid, shape.rows, shape.columns, 0);
    matmul::multiply(Algorithm::summa, a, b, first, {.panel = 40}, phases);
    for (const Algorithm algorithm : {Algorithm::cannon, Algorithm::fox}) {
      Matrix second = make(*grid, shape.rows, shape.columns, 0);
      matmul::multiply(algorithm, a, b, second, {.segment = 100}, phases);
      for (std::size_t i = 0; i < first.values().size(); ++i)
        ASSERT_NEAR(first.values()[i], second.values()[i], 1.0e-12) << name(algorithm);
    }
  }
}

}  // namespace
}  // namespace matmul_test
