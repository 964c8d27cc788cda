// SPDX-License-Identifier: Apache-2.0
// Solvers of linear systems: `cw::linear::Diffusion a(u, coefficient);`
// `cw::linear::Solver solver(a, parameters.linear);` `solver.solve(u, f);`.
#pragma once

#include <algorithm>
#include <cartwright/grid/run/run.hpp>
#include <cartwright/linear/hypre/hypre_iteration.hpp>
#include <cartwright/linear/krylov/bicgstab.hpp>
#include <cartwright/linear/krylov/conjugate_gradients.hpp>
#include <cartwright/linear/krylov/pipelined_conjugate_gradients.hpp>
#include <cartwright/linear/multigrid/multigrid_iteration.hpp>
#include <cartwright/linear/operators/diffusion.hpp>
#include <cartwright/linear/solve/options.hpp>
#include <cartwright/linear/solve/result.hpp>
#include <cartwright/linear/solve/sayings.hpp>
#include <cmath>
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
  explicit Solver(Operator& a, const Options& options = {}) : a_(a), options_(options) {
    require_available(options);
    require_method_for_operator();
    if constexpr (!grid::kernels_run_on_host) require_runs_on_device(options);
  }

  /// For a run of one solution: tolerance and limit are those of the deck's section `iteration`.
  Solver(Operator& a, const grid::Run& run, Options options)
      : Solver(a, with(options, run.options().iteration)) {}

  /// From what u is to the solution, for boundary values at `time`; the run's report says how the
  /// solutions of its steps went. Throws a numerical failure if there is no solution to be found;
  /// an input error if there is none, because only derivatives are given at the boundary and f
  /// doesn't fit them.
  const Result& solve(Values& u, const Values& f, double time) {
    begin(u, f, time);
    while (!ended()) iterate();
    loop_->finish(tolerance_name_);
    note_rounding(u.grid().app(), system_of(u), *loop_, options_.tolerance);
    return result_;
  }
  /// For boundary values at the run's own time: where the current step begins.
  const Result& solve(Values& u, const Values& f) { return solve(u, f, u.grid().time()); }

  /// Step by step: begin, then iterate until it has ended. Returns the first residual's norm.
  double begin(Values& u, const Values& f) { return begin(u, f, u.grid().time()); }
  /// One iteration; returns the residual's norm.
  double iterate() {
    const rt::Timed timed(u_->grid().trace(), region_);
    note(iteration_->iterate(*u_, loop_->convergence().target()));
    ++result_.iterations;
    loop_->residual(residual());
    finish_if_converged();
    return residual();
  }
  /// Of further solutions; `name` is what messages call it.
  void set_tolerance(double tolerance, const std::string& name = "its tolerance") {
    options_.tolerance = tolerance;
    tolerance_name_ = name;
    if (loop_) loop_->convergence().set_tolerance(tolerance);
  }
  [[nodiscard]] double residual() const { return result_.last(); }
  [[nodiscard]] bool ended() const { return loop_->ended(); }
  [[nodiscard]] const Result& result() const { return result_; }
  /// The iterations of a run that consists of this one solution:
  /// `for (auto k : solver.iterations(run, u, f)) k.residual(solver.iterate());`. A restart goes on
  /// between any two of them. f and `others` are written with u.
  template <class... Fields>
  [[nodiscard]] grid::Iterations iterations(grid::Run& run, Values& u, Values& f,
                                            Fields&... others) {
    prepare(u);
    std::vector<grid::FieldBase*> fields{&u, &f, &others...};
    for (Values* const field : iteration_->fields()) fields.push_back(field);
    const auto remember = [&](const std::string& what, std::span<double> numbers) {
      if (!numbers.empty())
        remembered_.push_back(std::make_unique<grid::StateMember>(
            run.state(), u.name() + ": " + what, grid::ScalarType::float64,
            std::as_writable_bytes(numbers)));
    };
    remember("convergence", loop_->convergence().state());
    remember(name(), iteration_->numbers());
    grid::Iterations iterations(run, std::move(fields));
    const double first = begin(u, f);
    iterations.begin_from(first, loop_->convergence().target());
    return iterations;
  }
  /// As messages and decks call the method.
  [[nodiscard]] std::string name() const { return name_of(options_); }

 private:
  [[nodiscard]] static Options with(Options options, const grid::IterationOptions& of_deck) {
    options.tolerance = of_deck.tolerance;
    options.limit = of_deck.limit;
    return options;
  }
  [[nodiscard]] bool is_multigrid() const {
    return options_.method == Method::multigrid || kind_of(options_.method) != MultigridKind::own;
  }
  void require_method_for_operator() const {
    if constexpr (!requires(Values & u) { make_multigrid(a_, u); })
      if (is_multigrid())
        throw rt::input_error("the method '" + name() + "' is for diffusion operators",
                              "Choose the method 'cg', 'pipelined_cg' or 'bicgstab', and a "
                              "preconditioner that works for this operator: 'jacobi' or 'none' "
                              "work for all.",
                              rt::Reach::all_ranks);
  }
  void prepare(Values& u);
  /// As messages, reports and files call the solutions.
  [[nodiscard]] std::string system_of(const Values& u) const { return u.name() + " by " + name(); }
  [[noreturn]] void refuse(Values& u, const Values& f, double time, double residual);
  template <bool variable>
  [[nodiscard]] std::unique_ptr<Iteration<D>> make_multigrid(Diffusion<D, variable>& a,
                                                             Values& u) const {
    if (const MultigridKind kind = kind_of(options_.method); kind != MultigridKind::own)
      return std::make_unique<HypreIteration<D, variable>>(a, u, kind);
    return std::make_unique<MultigridIteration<D, variable>>(a, u, options_.multigrid);
  }
  double begin(Values& u, const Values& f, double time);
  void note(double residual) {
    constexpr std::size_t most_known = 512;  // iterations that memory is taken for beforehand
    if (result_.residuals.empty())
      result_.residuals.reserve(std::min(static_cast<std::size_t>(options_.limit) + 1, most_known));
    result_.residuals.push_back(residual);
  }
  void finish_if_converged();

  Operator& a_;
  Options options_;
  std::string tolerance_name_ = "its tolerance";
  std::unique_ptr<grid::InnerLoop> loop_;
  std::unique_ptr<Iteration<D>> iteration_;
  Result result_;
  Values* u_ = nullptr;
  rt::RegionId region_;
  std::vector<std::unique_ptr<grid::StateMember>> remembered_;
};

template <class Operator>
void Solver<Operator>::prepare(Values& u) {
  if (iteration_) return;
  rt::Trace& trace = u.grid().trace();
  const rt::Timed timed(trace, trace.region("linear solver set-up"));
  // A residual that doesn't fall in so many iterations won't.
  const long long patience = is_multigrid() ? 20 : 300;
  loop_ = std::make_unique<grid::InnerLoop>(
      u.grid().app(), system_of(u),
      grid::IterationOptions{
          .tolerance = options_.tolerance, .limit = options_.limit, .stagnation = patience});
  switch (options_.method) {
    case Method::multigrid:
    case Method::pfmg:
    case Method::smg:
    case Method::boomeramg:
      if constexpr (requires { make_multigrid(a_, u); }) iteration_ = make_multigrid(a_, u);
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

template <class Operator>
double Solver<Operator>::begin(Values& u, const Values& f, double time) {
  u_ = &u;
  region_ = u.grid().trace().region("linear solver");
  const rt::Timed timed(u.grid().trace(), region_);
  prepare(u);
  const Start start = iteration_->begin(u, f, time);
  if (!std::isfinite(start.residual)) refuse(u, f, time, start.residual);
  result_ = {};
  note(start.residual);
  loop_->begin(start.residual, start.rounding);
  finish_if_converged();
  return residual();
}

/// The residual is computed once more, to see where it isn't finite: methods don't keep it.
template <class Operator>
void Solver<Operator>::refuse(Values& u, const Values& f, double time, double residual) {
  Values r = companion_of(u, "residual");
  a_.right_side(r, f, time);
  (void)subtract_product<D>(a_, u, r, time);
  const std::string how = "Check how it is computed: by a division by 0, perhaps.";
  refuse_first_residual(u.grid().app(), system_of(u), residual,
                        {{"the right side '" + f.name() + "'", &f, how},
                         {"the first guess '" + u.name() + "'", &u, how},
                         {"though right side and first guess are finite, the first residual", &r,
                          "Check the coefficients and the boundary values there: they aren't "
                          "finite, or too large."}});
}

template <class Operator>
void Solver<Operator>::finish_if_converged() {
  result_.converged = loop_->converged();
  if (result_.converged && a_.is_singular()) subtract(*u_, mean_of(*u_).value);
}

// Of diffusion: compiled once, in src/diffusion_solvers_*.cpp.
extern template class Solver<Diffusion<1, false>>;
extern template class Solver<Diffusion<2, false>>;
extern template class Solver<Diffusion<3, false>>;
extern template class Solver<Diffusion<1, true>>;
extern template class Solver<Diffusion<2, true>>;
extern template class Solver<Diffusion<3, true>>;

}  // namespace cartwright::linear
