// SPDX-License-Identifier: Apache-2.0
// Solvers of linear systems: `cw::linear::Diffusion a(u, coefficient);`
// `cw::linear::Solver solver(a, parameters.linear);` `solver.solve(u, f);`.
#pragma once

#include <cartwright/linear/krylov/conjugate_gradients.hpp>
#include <cartwright/linear/multigrid/multigrid_iteration.hpp>
#include <cartwright/linear/operators/diffusion.hpp>
#include <cartwright/linear/solve/options.hpp>
#include <cartwright/linear/solve/result.hpp>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace cartwright::linear {

/// Solves A u = f by the method that the options name. Memory is taken at the first solution; later
/// ones (one in each time step) use it again. All calls are collective.
template <class Operator>
class Solver {
 public:
  static constexpr int D = Operator::dimensions;
  using Values = Field<double, D>;

  /// `a` must outlive it; a.set(…) between solutions is heeded.
  explicit Solver(Operator& a, const Options& options = {})
      : a_(a),
        options_(options),
        convergence_(options.tolerance, options.limit,
                     options.method == Method::multigrid ? 20 : 300) {}

  /// From what u is to the solution. Throws a numerical failure if it isn't found; an input error
  /// if there is none, because only derivatives are given at the boundary and f doesn't fit them.
  const Result& solve(Values& u, const Values& f) {
    begin(u, f);
    while (!ended()) iterate();
    convergence_.require_converged(name(), u.name());
    return result();
  }

  /// Step by step: begin, then iterate until it has ended.
  void begin(Values& u, const Values& f) {
    prepare(u);
    u_ = &u;
    const Start start = iteration_->begin(u, f);
    convergence_.begin(start.residual, start.rounding);
    if (ended()) finish();
  }
  /// One iteration; returns the residual's norm.
  double iterate() {
    convergence_.add(iteration_->iterate(*u_, convergence_.target()));
    if (ended()) finish();
    return residual();
  }
  [[nodiscard]] double residual() const { return result().last(); }
  [[nodiscard]] bool ended() const { return convergence_.ended(); }
  [[nodiscard]] const Result& result() const { return convergence_.result(); }
  /// What a restart in the midst of a solution needs, besides u.
  [[nodiscard]] std::vector<Values*> state() { return iteration_->fields(); }
  [[nodiscard]] std::span<double> numbers() { return iteration_->numbers(); }
  /// As messages and decks call the method.
  [[nodiscard]] std::string name() const { return name_of(options_.method); }

 private:
  void prepare(Values& u) {
    if (iteration_) return;
    switch (options_.method) {
      case Method::multigrid:
        if constexpr (has_multigrid<Operator>)
          iteration_ = make_multigrid(a_, u);
        else
          throw rt::input_error("linear.method: multigrid is for diffusion operators",
                                "Choose another method.", rt::Reach::all_ranks);
        break;
      case Method::cg:
      case Method::pipelined_cg:
      case Method::bicgstab:
        iteration_ = std::make_unique<ConjugateGradients<Operator>>(a_, u, options_);
        break;
    }
  }
  template <bool variable>
  [[nodiscard]] std::unique_ptr<Iteration<D>> make_multigrid(Diffusion<D, variable>& a,
                                                             Values& u) const {
    return std::make_unique<MultigridIteration<D, variable>>(a, u, options_.multigrid);
  }
  void finish() {
    if (a_.is_singular()) remove_mean(*u_);
  }

  Operator& a_;
  Options options_;
  Convergence convergence_;
  std::unique_ptr<Iteration<D>> iteration_;
  Values* u_ = nullptr;
};

}  // namespace cartwright::linear
