// SPDX-License-Identifier: Apache-2.0
#include "conjugate_gradient.hpp"

namespace cw = cartwright;

namespace cartwright::grid::test {
namespace {

struct Options {
  double tolerance = 1.0e-10;
  std::string set_up = "fresh";
};

cw::Schema<Options> schema() {
  return {cw::key("tolerance", &Options::tolerance), cw::key("set_up", &Options::set_up)};
}

template <int D>
double dot(const cw::Field<double, D>& a, const cw::Field<double, D>& b) {
  double result = 0.0;
  auto left = a.view();
  auto right = b.view();
  cw::reduce(
      a, KOKKOS_LAMBDA(cw::Index<D> i, double& sum) { sum += left(i) * right(i); },
      cw::Sum(result));
  return result;
}

/// a = b + factor a
template <int D>
void scale_and_add(cw::Field<double, D>& a, const cw::Field<double, D>& b, double factor) {
  auto out = a.view();
  auto in = b.view();
  cw::for_each(
      a, KOKKOS_LAMBDA(cw::Index<D> i) { out(i) = in(i) + factor * out(i); });
}

/// a = a + factor b
template <int D>
void add(cw::Field<double, D>& a, const cw::Field<double, D>& b, double factor) {
  auto out = a.view();
  auto in = b.view();
  cw::for_each(
      a, KOKKOS_LAMBDA(cw::Index<D> i) { out(i) += factor * in(i); });
}

/// q = -laplacian(p)
template <int D>
void apply(cw::Field<double, D>& p, cw::Field<double, D>& q) {
  auto in = p.view();
  auto out = q.view();
  cw::exchange(p).overlap(KOKKOS_LAMBDA(cw::Index<D> i) { out(i) = -cw::laplacian(in, i); });
}

template <int D>
void solve(cw::Run& run, const Options& options) {
  cw::Grid<D> grid(run);
  cw::Field<double, D> x(grid, "x"), r(grid, "residual"), p(grid, "direction"), q(grid, "product");
  cw::Scalar rho(run, "rho"), first(run, "first");
  cw::Scalar iterations(run, "iterations", 0LL);
  cw::Array<double> lengths(run, "lengths", 2);  // of the last steps

  const auto set_up = [&] {
    run.initialize(r);
    add(p, r, 1.0);
    rho = dot(r, r);
  };
  if (options.set_up == "fresh") run.on_fresh_start(set_up);
  if (options.set_up == "before") set_up();
  auto steps = run.steps(x, r, p);
  if (options.set_up == "after") set_up();
  run.on_fresh_start([&] { first = rho; });
  const double enough = options.tolerance * options.tolerance * first;
  for ([[maybe_unused]] auto step : steps) {
    apply(p, q);
    const double length = rho / dot(p, q);
    add(x, p, length);
    add(r, q, -length);
    const double old = rho;
    rho = dot(r, r);
    scale_and_add(p, r, rho / old);
    ++iterations;
    lengths[1] = lengths[0];
    lengths[0] = length;
    if (rho < enough) steps.stop("the residual is small");
  }
}

}  // namespace

SolverEntry conjugate_gradient() {
  return cw::Solver("cg", "conjugate gradients", schema())
      .field("residual")
      .field("x")
      .function(solve<1>, solve<2>, solve<3>);
}

}  // namespace cartwright::grid::test
