// SPDX-License-Identifier: Apache-2.0
// Solvers of linear systems: `cw::linear::Diffusion a(u, coefficient);`
// `cw::linear::Solver solver(a, parameters.linear);` `solver.solve(u, f);`.
#pragma once

#include <cartwright/grid/run/run.hpp>
#include <cartwright/linear/krylov/bicgstab.hpp>
#include <cartwright/linear/krylov/conjugate_gradients.hpp>
#include <cartwright/linear/krylov/pipelined_conjugate_gradients.hpp>
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

  /// For a run of one solution: tolerance and limit are those of the deck's section `iteration`.
  Solver(Operator& a, const grid::Run& run, Options options)
      : Solver(a, with(options, run.options().iteration)) {}

  /// From what u is to the solution. Throws a numerical failure if it isn't found; an input error
  /// if there is none, because only derivatives are given at the boundary and f doesn't fit them.
  const Result& solve(Values& u, const Values& f) {
    begin(u, f);
    while (!ended()) iterate();
    convergence_.require_converged(name(), u.name());
    return result();
  }

  /// Step by step: begin, then iterate until it has ended. Returns the first residual's norm; 0 if
  /// u is the solution already.
  double begin(Values& u, const Values& f) {
    prepare(u);
    u_ = &u;
    const Start start = iteration_->begin(u, f);
    convergence_.begin(start.residual, start.rounding);
    if (result().converged) finish();
    return result().converged ? 0.0 : residual();
  }
  /// One iteration; returns the residual's norm.
  double iterate() {
    convergence_.add(iteration_->iterate(*u_, convergence_.target()));
    if (result().converged) finish();
    return residual();
  }
  [[nodiscard]] double residual() const { return result().last(); }
  [[nodiscard]] bool ended() const { return convergence_.ended(); }
  [[nodiscard]] const Result& result() const { return convergence_.result(); }
  /// The iterations of a run that consists of one solution, for
  /// `iterations.begin_from(solver.begin(u, f)); for (auto k : iterations)
  /// k.residual(solver.iterate());`. A restart goes on between any two of them. `others` are
  /// written with u.
  template <class... Fields>
  [[nodiscard]] grid::Iterations iterations(grid::Run& run, Values& u, Fields&... others) {
    prepare(u);
    std::vector<grid::FieldBase*> fields{&u, &others...};
    for (Values* const field : iteration_->fields()) fields.push_back(field);
    const auto remember = [&](const std::string& what, std::span<double> numbers) {
      if (!numbers.empty())
        remembered_.push_back(std::make_unique<grid::StateMember>(
            run.state(), u.name() + ": " + what, grid::ScalarType::float64,
            std::as_writable_bytes(numbers)));
    };
    remember("target", convergence_.state());
    remember(name(), iteration_->numbers());
    return grid::Iterations(run, std::move(fields));
  }
  /// As messages and decks call the method.
  [[nodiscard]] std::string name() const { return name_of(options_.method); }

 private:
  [[nodiscard]] static Options with(Options options, const grid::IterationOptions& of_deck) {
    options.tolerance = of_deck.tolerance;
    options.limit = of_deck.limit;
    return options;
  }
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
        iteration_ = std::make_unique<ConjugateGradients<Operator>>(a_, u, options_);
        break;
      case Method::pipelined_cg:
        iteration_ = std::make_unique<PipelinedConjugateGradients<Operator>>(a_, u, options_);
        break;
      case Method::bicgstab:
        iteration_ = std::make_unique<BiCgStab<Operator>>(a_, u, options_);
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
  std::vector<std::unique_ptr<grid::StateMember>> remembered_;
};

}  // namespace cartwright::linear
