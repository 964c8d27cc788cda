// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/linear/hypre/hypre_cycle.hpp>
#include <cartwright/linear/operators/walls.hpp>
#include <cartwright/linear/solve/iteration.hpp>

namespace cartwright::linear {

/// One of hypre's multigrid methods by itself: one cycle an iteration.
template <int D, bool variable>
class HypreIteration final : public Iteration<D> {
 public:
  using Values = Field<double, D>;

  HypreIteration(Diffusion<D, variable>& a, Values& u, MultigridKind kind)
      : a_(a), cycle_(a, kind), r_(companion_of(u, "residual")), z_(correction_of(u, "step")) {}

  [[nodiscard]] Start begin(Values& u, const Values& f, double time) override {
    a_.right_side(r_, f, time);
    return subtract_product<D>(a_, u, r_, time);
  }
  [[nodiscard]] double iterate(Values& u, double /*enough*/) override {
    cycle_.apply(z_, r_);
    const auto a = a_.kernel();
    const auto step = z_.view().reading();
    const auto to = u.view(), r = r_.view();
    double squares = 0.0;
    grid::exchange(z_).overlap(
        KOKKOS_LAMBDA(const Index<D>& i, double& sum) {
          to(i) += step(i);
          const double value = r(i) - a(step, i);
          r(i) = value;
          sum += value * value;
        },
        Sum(squares));
    return std::sqrt(squares);
  }
  [[nodiscard]] std::vector<Values*> fields() override { return {&r_}; }

 private:
  Diffusion<D, variable>& a_;
  HypreCycle<D, variable> cycle_;
  Values r_, z_;
};

}  // namespace cartwright::linear
