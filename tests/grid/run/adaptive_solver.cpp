// SPDX-License-Identifier: Apache-2.0
#include "adaptive_solver.hpp"

#include <cartwright/comm/cart_comm.hpp>
#include <cmath>

namespace cw = cartwright;

namespace cartwright::grid::test {
namespace {

struct Burgers {
  double cfl = 0.5;
  std::string how = "well";
};

cw::Schema<Burgers> burgers_schema() {
  return {cw::key("cfl", &Burgers::cfl), cw::key("how", &Burgers::how)};
}

double fastest_of(const cw::Field<double, 1>& u) {
  double fastest = 0.0;
  auto in = u.view();
  cw::reduce(
      u, KOKKOS_LAMBDA(cw::Index<1> i, double& most) { most = std::fmax(most, std::fabs(in(i))); },
      cw::Max(fastest));
  return fastest;
}

double limited(cw::Step& step, const std::string& how, double limit, int rank) {
  if (how == "twice") (void)step.limit(limit);
  if (how == "own" && rank > 0) limit *= 0.75;
  if (how == "zero" && step.number == 3) limit = 0.0;
  return step.limit(limit);
}

void burgers(cw::Run& run, const Burgers& physics) {
  cw::Grid<1> grid(run);
  cw::Field<double, 1> u(grid, "u"), next = u.like();
  cw::Table speeds(run, "speeds", {"fastest"});
  run.initialize(u);
  auto steps = run.steps(u).adaptive();
  if (physics.how == "asks") (void)steps.dt();
  for (auto step : steps) {
    if (physics.how == "forgets") continue;
    const double fastest = fastest_of(u);
    speeds.add(step.number, {fastest});
    const double largest = physics.cfl * grid.spacing(0) / fastest;
    const double c =
        limited(step, physics.how, largest, grid.comm().rank().value) / grid.spacing(0);
    auto in = u.view();
    auto out = next.view();
    cw::exchange(u).overlap(KOKKOS_LAMBDA(cw::Index<1> i) {
      const double left = in(i.shifted(0, -1));
      out(i) = in(i)-0.5 * c * (in(i)*in(i)-left * left);
    });
    swap(u, next);
  }
}

struct Jacobi {
  std::string how = "well";
};

cw::Schema<Jacobi> jacobi_schema() {
  return {cw::key("how", &Jacobi::how)};
}

double relax(cw::Field<double, 1>& u, const cw::Field<double, 1>& f, cw::Field<double, 1>& next,
             double damping) {
  const double h = u.grid().spacing(0);
  auto in = u.view();
  auto source = f.view();
  auto out = next.view();
  double squares = 0.0;
  cw::exchange(u).overlap(
      KOKKOS_LAMBDA(cw::Index<1> i, double& sum) {
        const double r = source(i) + cw::laplacian(in, i);
        out(i) = in(i) + damping * h * h * r;
        sum += r * r;
      },
      cw::Sum(squares));
  swap(u, next);
  return std::sqrt(squares);
}

void jacobi_solve(cw::Run& run, const Jacobi& options) {
  cw::Grid<1> grid(run);
  cw::Field<double, 1> u(grid, "u"), f(grid, "f"), next = u.like();
  run.initialize(u, f);
  auto iterations = run.iterations(u);
  if (options.how == "solved") iterations.begin_from(0.0);
  for (auto k : iterations) {
    const double norm = relax(u, f, next, options.how == "diverges" ? 1.5 : 0.4);
    if (options.how == "stops" && k.number == 7) iterations.stop("enough");
    if (options.how == "silent") continue;
    k.residual(options.how == "stagnates" ? 1.0 : options.how == "nan" ? std::nan("") : norm);
  }
}

}  // namespace

SolverEntry adaptive_burgers() {
  return cw::Solver("burgers", "Burgers' equation", burgers_schema()).field("u").function(burgers);
}

SolverEntry jacobi() {
  return cw::Solver("jacobi", "damped Jacobi", jacobi_schema())
      .field("u")
      .field("f")
      .function(jacobi_solve);
}

}  // namespace cartwright::grid::test
