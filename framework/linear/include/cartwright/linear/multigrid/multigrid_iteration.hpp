// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/linear/multigrid/multigrid.hpp>
#include <cartwright/linear/operators/walls.hpp>
#include <cartwright/linear/solve/iteration.hpp>

namespace cartwright::linear {

/// Multigrid by itself: one cycle an iteration.
template <int D, bool variable>
class MultigridIteration final : public Iteration<D> {
 public:
  using Values = Field<double, D>;

  MultigridIteration(Diffusion<D, variable>& a, Values& u, const MultigridOptions& options)
      : a_(a), multigrid_(a, options), b_(companion_of(u, "right side")) {}

  [[nodiscard]] Start begin(Values& u, const Values& f) override {
    a_.right_side(b_, f);
    const auto a = a_.kernel();
    const auto in = u.view().reading();
    const auto b = b_.view();
    Vector<double, 2> sums{};
    grid::exchange(u).overlap(
        KOKKOS_LAMBDA(const Index<D>& i, Vector<double, 2>& sum) {
          const double value = b(i) - a(in, i), size = a.diagonal(in, i) * in(i);
          sum[0] += value * value;
          sum[1] += size * size;
        },
        Sum(sums));
    return {std::sqrt(sums[0]), 4 * std::numeric_limits<double>::epsilon() * std::sqrt(sums[1])};
  }
  [[nodiscard]] double iterate(Values& u, double enough) override {
    return multigrid_.cycle(u, b_, enough);
  }

 private:
  Diffusion<D, variable>& a_;
  Multigrid<D, variable> multigrid_;
  Values b_;
};

}  // namespace cartwright::linear
