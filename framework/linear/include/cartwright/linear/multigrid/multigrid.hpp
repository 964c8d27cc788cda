// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/linear/multigrid/hierarchy.hpp>
#include <cartwright/linear/operators/diffusion.hpp>
#include <cartwright/linear/solve/options.hpp>

namespace cartwright::linear {

/// Geometric multigrid for a Diffusion: red-black Gauss-Seidel, means of residuals down, linear
/// interpolation up. The same bits on any number of ranks.
template <int D, bool variable>
class Multigrid {
 public:
  using Operator = Diffusion<D, variable>;

  /// Collective. `a` must outlive it; what is made here follows a.set(…). `symmetric`: as a
  /// preconditioner it is a symmetric matrix but for rounding, though a weaker one: corrections are
  /// constant on coarse cells.
  Multigrid(Operator& a, const MultigridOptions& options, bool symmetric = false)
      : operator_(a),
        options_(options),
        symmetric_(symmetric),
        levels_(a.level(), a.grid(), options) {
    if (options_.cycle == Cycle::automatic)
      options_.cycle = !a.level().has_mixed_walls() ? Cycle::v : symmetric ? Cycle::w : Cycle::full;
    update();
  }

  /// Collective. One cycle for A u = b, from u. Returns the residual's norm behind the first
  /// sweeps; if that is at most `enough`, there is nothing more to be done, and nothing was.
  double cycle(Field<double, D>& u, Field<double, D>& b, double enough) {
    update();
    levels_.use(u, b);
    if (levels_.count() == 1) {
      smooth(0, Colour::red, true);
      return 0.0;
    }
    sweeps(0, options_.before, false, Colour::red);
    const double norm = levels_.restrict_with_norm(Counted::red);
    if (norm <= enough) return norm;
    go_on(0, options_.cycle, Colour::red);
    return norm;
  }
  /// Collective. z = M r, with an M that is about symmetric.
  void precondition(Field<double, D>& z, Field<double, D>& r) {
    update();
    levels_.use(z, r);
    visit(0, options_.cycle, true, Colour::black);
  }

 private:
  void update() {
    if (version_ != operator_.version())
      levels_.set(operator_.options().factor, operator_.options().reaction, symmetric_);
    version_ = operator_.version();
  }

  /// From 0 or from what is there. `behind`: the colour that sweeps behind coarser grids begin
  /// with.
  void visit(int level, Cycle cycle, bool from_zero, Colour behind) {
    if (level == levels_.count() - 1) return smooth(level, Colour::red, true);
    sweeps(level, options_.before, from_zero, Colour::red);
    levels_.restrict_residual(level);
    go_on(level, cycle, behind);
  }
  void go_on(int level, Cycle cycle, Colour behind) {
    visit(level + 1, cycle, true, behind);
    if (cycle != Cycle::v && level + 2 < levels_.count())
      visit(level + 1, cycle == Cycle::w ? Cycle::w : Cycle::v, false, behind);
    // Only what the next sweep reads: it sets the others.
    levels_.prolong(level, other(behind), symmetric_);
    sweeps(level, options_.after, false, behind);
  }
  [[nodiscard]] static Colour other(Colour colour) {
    return colour == Colour::red ? Colour::black : Colour::red;
  }
  void sweeps(int level, int count, bool from_zero, Colour first) {
    for (int sweep = 0; sweep < count; ++sweep) {
      smooth(level, first, from_zero && sweep == 0);
      smooth(level, other(first), false);
    }
  }
  void smooth(int level, Colour colour, bool from_zero) {
    levels_.smooth(level, colour, from_zero);
  }

  Operator& operator_;
  MultigridOptions options_;
  bool symmetric_;
  Hierarchy<D, variable> levels_;
  long long version_ = -1;
};

}  // namespace cartwright::linear
