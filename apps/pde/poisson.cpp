// SPDX-License-Identifier: Apache-2.0
// -div(a grad u) + c u = f: a potential in a medium that differs from place to place, by any linear
// solver. Second order in space.
#include <cartwright/linear/solver.hpp>

#include "solvers.hpp"

namespace cw = cartwright;

namespace pde {

struct Poisson {
  double reaction = 0.0;
  cw::linear::Mean mean = cw::linear::Mean::harmonic;
  cw::linear::Options linear{};
};

cw::Schema<Poisson> poisson_schema() {
  return cw::Schema<Poisson>{
      cw::key("reaction", &Poisson::reaction).unit("1/m2").minimum(0.0).about("c of c u"),
      cw::key("mean", &Poisson::mean)
          .choices({"harmonic", "arithmetic"})
          .about("of the coefficients of two cells, on the face between them")}
      .section("linear", &Poisson::linear, cw::linear::method_schema(), "how the system is solved");
}

template <int D>
void poisson(cw::Run& run, const Poisson& p) {
  cw::Grid<D> grid(run);
  cw::Field<double, D> u(grid, "potential"), f(grid, "source"), a(grid, "coefficient");
  const auto one = a.view();
  cw::for_each(
      a, KOKKOS_LAMBDA(cw::Index<D> i) { one(i) = 1.0; });
  run.initialize(u, f, a);

  cw::linear::Diffusion operation(u, a, {.reaction = p.reaction, .mean = p.mean});
  cw::linear::Solver solver(operation, run, p.linear);
  for (auto k : solver.iterations(run, u, f, a)) k.residual(solver.iterate());
}

cw::grid::SolverEntry poisson_solver() {
  return cw::Solver("poisson", "potential in a medium that varies", poisson_schema())
      .field("potential", "V")
      .field("source", "V/m2")
      .field("coefficient")
      .stretched_cells()
      .function(poisson<1>, poisson<2>, poisson<3>);
}

}  // namespace pde
