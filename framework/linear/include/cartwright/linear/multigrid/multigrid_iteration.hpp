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

  [[nodiscard]] Start begin(Values& u, const Values& f, double time) override {
    a_.right_side(b_, f, time);
    return measure_residual<D>(a_, u, b_, time, KOKKOS_LAMBDA(const Index<D>&, double){});
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
