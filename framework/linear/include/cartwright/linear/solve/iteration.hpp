// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/exchange/exchange.hpp>
#include <cartwright/grid/field/field.hpp>
#include <cartwright/grid/field/for_each.hpp>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

namespace cartwright::linear {

using grid::Field;
using grid::FieldView;
using grid::Index;
using grid::Sum;
using grid::Vector;

/// How a method begins: the residual's norm, and below which one there is only rounding.
struct Start {
  double residual = 0.0;
  double rounding = 0.0;
};

/// One method at work on one system. All calls are collective.
template <int D>
class Iteration {
 public:
  Iteration() = default;
  Iteration(const Iteration&) = delete;
  Iteration& operator=(const Iteration&) = delete;
  virtual ~Iteration() = default;

  /// Solve A u = f, from what u is, for boundary values at `time`.
  [[nodiscard]] virtual Start begin(Field<double, D>& u, const Field<double, D>& f,
                                    double time) = 0;
  /// Returns the residual's norm. Where it is at most `enough`, u is the solution.
  [[nodiscard]] virtual double iterate(Field<double, D>& u, double enough) = 0;
  /// What it needs besides u to go on with the next iteration.
  [[nodiscard]] virtual std::vector<Field<double, D>*> fields() { return {}; }
  [[nodiscard]] virtual std::span<double> numbers() { return {}; }
};

/// The norm of b - A u, with u's boundary values at `time`; `keep(i, value)` gets each of its
/// values.
template <int D, class Operator, class Keep>
[[nodiscard]] Start measure_residual(Operator& operation, Field<double, D>& u,
                                     const Field<double, D>& b, double time, const Keep& keep) {
  Field<double, D>& seen = operation.seen(u);
  const auto a = operation.kernel();
  const auto in = seen.view().reading();
  const auto at = u.view();
  const auto given = b.view();
  Vector<double, 2> sums{};
  grid::exchange(seen).at(time).overlap(
      KOKKOS_LAMBDA(const Index<D>& i, Vector<double, 2>& sum) {
        const double value = given(i) - a(in, i), size = a.diagonal(in, i) * at(i);
        keep(i, value);
        sum[0] += value * value;
        sum[1] += size * size;
      },
      Sum(sums));
  return {std::sqrt(sums[0]), 4 * std::numeric_limits<double>::epsilon() * std::sqrt(sums[1])};
}

/// r = b - A u, with the norm of r. `r` holds b before.
template <int D, class Operator>
[[nodiscard]] Start subtract_product(Operator& a, Field<double, D>& u, Field<double, D>& r,
                                     double time) {
  const auto out = r.view();
  return measure_residual<D>(
      a, u, r, time, KOKKOS_LAMBDA(const Index<D>& i, double value) { out(i) = value; });
}

}  // namespace cartwright::linear
