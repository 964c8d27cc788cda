// SPDX-License-Identifier: Apache-2.0
#include <cartwright/cartwright.hpp>
#include <cmath>

namespace cw = cartwright;

struct Steady {};  // it has no parameters

// q = -laplacian(p); the sum of p q.
template <int D>
double apply(cw::Field<double, D>& p, cw::Field<double, D>& q) {
  double product = 0.0;
  auto in = p.view();
  auto out = q.view();
  cw::exchange(p).overlap(
      KOKKOS_LAMBDA(cw::Index<D> i, double& sum) {
        const double value = -cw::laplacian(in, i);
        out(i) = value;
        sum += value * in(i);
      },
      cw::Sum(product));
  return product;
}

// a = b + factor c; the sum of the squares of a.
template <int D>
double combine(cw::Field<double, D>& a, const cw::Field<double, D>& b, double factor,
               const cw::Field<double, D>& c) {
  double squares = 0.0;
  auto out = a.view();
  auto left = b.view();
  auto right = c.view();
  cw::reduce(
      a,
      KOKKOS_LAMBDA(cw::Index<D> i, double& sum) {
        out(i) = left(i) + factor * right(i);
        sum += out(i) * out(i);
      },
      cw::Sum(squares));
  return squares;
}

template <int D>
void steady_heat(cw::Run& run, const Steady&) {
  cw::Grid<D> grid(run);
  cw::Field<double, D> u(grid, "temperature"), r(grid, "residual"), p(grid, "direction"),
      q(grid, "product");
  cw::Scalar rho(run, "rho");
  run.on_fresh_start([&] {
    run.initialize(u);
    apply(u, q);
    rho = combine(r, r, -1.0, q);  // fields start with zeros: r = -q
    combine(p, r, 0.0, p);
  });
  auto iterations = run.iterations(u, r, p);
  iterations.begin_from(std::sqrt(rho));
  for (auto k : iterations) {
    const double length = rho / apply(p, q);
    combine(u, u, length, p);
    const double old = rho;
    rho = combine(r, r, -length, q);
    combine(p, r, rho / old, p);
    k.residual(std::sqrt(rho));
  }
}

int main(int argc, char** argv) {
  return cw::run(argc, argv,
                 {cw::Solver<Steady>("steady", "steady heat, conjugate gradients")
                      .field("temperature", "K")
                      .function(steady_heat<1>, steady_heat<2>, steady_heat<3>)});
}
