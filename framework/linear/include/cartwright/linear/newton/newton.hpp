// SPDX-License-Identifier: Apache-2.0
// Solvers of systems that aren't linear: `cw::linear::Newton newton(u, about, residual,
// parameters.newton);` `newton.solve(u, residual, time);`.
#pragma once

#include <algorithm>
#include <cartwright/grid/field/dot.hpp>
#include <cartwright/linear/newton/jacobian.hpp>
#include <cartwright/linear/newton/options.hpp>
#include <cartwright/linear/solver.hpp>
#include <cmath>

namespace cartwright::linear {

/// Solves F(u) = 0 by Newton's method: each correction from a linear system that is solved as well
/// as is worth while (Eisenstat and Walker 1996, choice 2), with products by differences, and
/// shortened where the residual would grow. `Residual`: `F(view, i)`, which captures numbers and
/// views. All calls are collective.
template <int D, bool variable, class Residual>
class Newton {
 public:
  using Values = Field<double, D>;

  /// `about`, near F's derivative, preconditions the linear systems; it must outlive the solver.
  Newton(Values& u, Diffusion<D, variable>& about, const Residual& residual,
         const NewtonOptions& options = {})
      : tolerance_(options.tolerance),
        loop_(u.grid().app(), system_of(u),
              {.tolerance = options.tolerance, .limit = options.limit, .stagnation = 20}),
        jacobian_(u, about, residual),
        solver_(jacobian_, options.linear),
        right_side_(correction_of(u, "right side")),
        correction_(correction_of(u, "correction")),
        trial_(companion_of(u, "trial")) {}

  /// From what u is to the solution, for boundary values at `time`. `refresh(u)` is called before
  /// each linear system: to bring `about` near the derivative. Throws a numerical failure if no
  /// solution is found. Returns the number of corrections.
  template <class Refresh>
  long long solve(Values& u, const Residual& residual, double time, const Refresh& refresh) {
    Start now = jacobian_.move(u, residual, time);
    if (!std::isfinite(now.residual)) refuse(u, now.residual);
    double before = now.residual, forcing = first_forcing;
    for (loop_.begin(now.residual, now.rounding); !loop_.ended();) {
      refresh(u);
      forcing = next_forcing(forcing, before, now.residual);
      find_correction(forcing, time);
      before = now.residual;
      now = make_step(u, residual, time, now, forcing);
      loop_.residual(now.residual);
    }
    loop_.finish();
    note_rounding(u.grid().app(), system_of(u), loop_, tolerance_);
    return loop_.iterations();
  }
  long long solve(Values& u, const Residual& residual, double time) {
    return solve(u, residual, time, [](const Values&) {});
  }
  long long solve(Values& u, const Residual& residual) {
    return solve(u, residual, u.grid().time());
  }

  // Public: nvcc takes no kernels from private functions.
  static constexpr double first_forcing = 0.3, largest_forcing = 0.9;

  /// As a part of its first one, the residual to which the linear system is solved.
  [[nodiscard]] double next_forcing(double forcing, double before, double now) const {
    constexpr double gamma = 0.9, worth_keeping = 0.1, noise_of_differences = 1e-6;
    double next = forcing;
    if (loop_.iterations() > 0) {
      next = gamma * (now / before) * (now / before);
      const double kept = gamma * forcing * forcing;
      if (kept > worth_keeping) next = std::max(next, kept);
    }
    // The last one needn't go further than the tolerance.
    const double enough = 0.5 * loop_.convergence().target() / now;
    return std::clamp(std::max(next, enough), noise_of_differences, largest_forcing);
  }

  void find_correction(double forcing, double time) {
    const auto value = jacobian_.value().view(), to = right_side_.view(),
               correction = correction_.view();
    grid::for_each(
        right_side_, KOKKOS_LAMBDA(const Index<D>& i) {
          to(i) = -value(i);
          correction(i) = 0.0;
        });
    solver_.set_tolerance(forcing, "the tolerance of this correction, chosen by Newton,");
    try {
      (void)solver_.solve(correction_, right_side_, time);
    } catch (const rt::Error& error) {
      if (error.code() != rt::ExitCode::numerical_failure) throw;
      throw rt::numerical_failure(error.what() + about_constants(), error.advice(), error.reach());
    }
  }

  /// u += length * correction, with a length that makes the residual smaller.
  [[nodiscard]] Start make_step(Values& u, const Residual& residual, double time, const Start& now,
                                double forcing) {
    constexpr double worth_it = 1e-4, shortest = 1e-9;
    const auto at = u.view(), along = correction_.view(), to = trial_.view();
    for (double length = 1.0; length > shortest;) {
      grid::for_each(
          u, KOKKOS_LAMBDA(const Index<D>& i) { to(i) = at(i) + length * along(i); });
      const Start then = jacobian_.move(trial_, residual, time);
      if (then.residual <= (1.0 - worth_it * length * (1.0 - forcing)) * now.residual ||
          then.residual <= loop_.convergence().target()) {
        copy(trial_, u);
        return then;
      }
      // Where the parabola through what is known is lowest.
      const double first = now.residual * now.residual, there = then.residual * then.residual;
      const double fraction = first * length / (there - first + 2.0 * first * length);
      length *= std::isfinite(there) ? std::clamp(fraction, 0.1, 0.5) : 0.1;
    }
    loop_.give_up("no step along Newton's direction makes the residual smaller" +
                  about_constants());
  }

 private:
  [[nodiscard]] static std::string system_of(const Values& u) { return u.name() + " by Newton"; }
  /// What may be the reason of a failure, where nothing else says which of the solutions that
  /// differ by a constant is meant.
  [[nodiscard]] std::string about_constants() const {
    if (!jacobian_.diffusion().is_singular()) return {};
    return "; no face has a value and the Diffusion has no reaction, so there may be no solution "
           "unless sources and what flows in fit together";
  }
  [[noreturn]] void refuse(const Values& u, double residual) {
    refuse_first_residual(u.grid().app(), system_of(u), residual,
                          {{"the first guess '" + u.name() + "'", &u, "Check how it is computed."},
                           {"the residual of the first guess", &jacobian_.value(),
                            "Check the fields and numbers that it is computed from, and the "
                            "boundary values there."}});
  }

  double tolerance_;
  grid::InnerLoop loop_;
  Jacobian<D, variable, Residual> jacobian_;
  Solver<Jacobian<D, variable, Residual>> solver_;
  Values right_side_, correction_, trial_;
};

}  // namespace cartwright::linear
