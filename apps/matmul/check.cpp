// SPDX-License-Identifier: Apache-2.0
#include "check.hpp"

#include <cartwright/grid/field/block_matrix_copy.hpp>
#include <cartwright/grid/field/block_matrix_fill.hpp>
#include <cmath>
#include <limits>
#include <vector>

namespace matmul {

namespace comm = cartwright::comm;
namespace grid = cartwright::grid;

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

using Vector = std::vector<double>;

Vector zeros(long long count) {
  Vector vector;
  vector.resize(static_cast<std::size_t>(count));
  return vector;
}

double& at(Vector& vector, long long index) {
  return vector[static_cast<std::size_t>(index)];
}
double at(const Vector& vector, long long index) {
  return vector[static_cast<std::size_t>(index)];
}

void sum_over_ranks(const Matrix& matrix, Vector& vector) {
  matrix.cart().allreduce(std::span<double>(vector), comm::Operator::sum);
}

/// For each row i of the matrix, the sum over j of term(element, j); whole, on every rank.
template <class Term>
Vector sums_of_rows(const Matrix& matrix, const Term& term) {
  Vector sums = zeros(matrix.rows().extent());
  for (long long i = 0; i < matrix.local_rows(); ++i) {
    double sum = 0.0;
    for (long long j = 0; j < matrix.local_columns(); ++j)
      sum += term(*matrix.at(i, j), matrix.global_column(j));
    at(sums, matrix.global_row(i)) = sum;
  }
  sum_over_ranks(matrix, sums);
  return sums;
}

Vector times(const Matrix& matrix, const Vector& x) {
  return sums_of_rows(matrix, [&](double e, long long j) { return e * at(x, j); });
}
Vector absolute_times(const Matrix& matrix, const Vector& x) {
  return sums_of_rows(matrix, [&](double e, long long j) { return std::abs(e) * at(x, j); });
}

Vector norms_of_rows(const Matrix& matrix) {
  Vector norms = sums_of_rows(matrix, [](double e, long long) { return e * e; });
  for (double& norm : norms) norm = std::sqrt(norm);
  return norms;
}

Vector norms_of_columns(const Matrix& matrix) {
  Vector norms = zeros(matrix.columns().extent());
  for (long long i = 0; i < matrix.local_rows(); ++i)
    for (long long j = 0; j < matrix.local_columns(); ++j)
      at(norms, matrix.global_column(j)) += *matrix.at(i, j) * *matrix.at(i, j);
  sum_over_ranks(matrix, norms);
  for (double& norm : norms) norm = std::sqrt(norm);
  return norms;
}

/// 0 for 0/0; what isn't a number is worse than anything.
double relative(double difference, double bound) {
  if (difference == 0.0) return 0.0;
  const double ratio = difference / bound;
  return std::isnan(ratio) ? std::numeric_limits<double>::infinity() : ratio;
}

}  // namespace

double freivalds_residual(const Matrix& a, const Matrix& b, const Matrix& c, std::uint64_t seed) {
  Vector x = zeros(b.columns().extent());
  Vector size_of_x = x;
  for (std::size_t j = 0; j < x.size(); ++j) {
    x[j] = grid::random_element(seed ^ 0x5bd1e995U, j);
    size_of_x[j] = std::abs(x[j]);
  }
  const Vector expected = times(a, times(b, x));
  const Vector found = times(c, x);
  const Vector scale = absolute_times(a, absolute_times(b, size_of_x));
  const auto terms = static_cast<double>(a.columns().extent() + 2 * b.columns().extent());
  double worst = 0.0;
  for (std::size_t i = 0; i < expected.size(); ++i)
    worst = std::max(worst, relative(std::abs(expected[i] - found[i]), epsilon * terms * scale[i]));
  return worst;
}

double scaled_difference(const Matrix& a, const Matrix& b, const Matrix& c, const Matrix& other) {
  const Vector of_a = norms_of_rows(a);
  const Vector of_b = norms_of_columns(b);
  const double factor = 2.0 * epsilon * static_cast<double>(a.columns().extent());
  double worst = 0.0;
  for (long long i = 0; i < c.local_rows(); ++i)
    for (long long j = 0; j < c.local_columns(); ++j)
      worst = std::max(worst,
                       relative(std::abs(*c.at(i, j) - *other.at(i, j)),
                                factor * at(of_a, c.global_row(i)) * at(of_b, c.global_column(j))));
  return c.cart().allreduce(worst, comm::Operator::maximum);
}

Matrix product_by_pdgemm(const Matrix& a, const Matrix& b, const Matrix& c, long long block,
                         Phases& phases) {
  const auto like = [&](const Matrix& matrix) {
    return Matrix::cyclic(matrix.cart(), matrix.rows().extent(), matrix.columns().extent(), block);
  };
  Matrix cyclic_a = like(a), cyclic_b = like(b), cyclic_c = like(c);
  grid::redistribute(a, cyclic_a);
  grid::redistribute(b, cyclic_b);
  multiply_pdgemm(cyclic_a, cyclic_b, cyclic_c, phases);
  Matrix result(c.cart(), c.rows(), c.columns());
  grid::redistribute(cyclic_c, result);
  return result;
}

}  // namespace matmul
