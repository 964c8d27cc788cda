// SPDX-License-Identifier: Apache-2.0
// Shallow water over a flat bed: depth and discharge per width; fluxes of Rusanov (1961), steps of
// Euler.
#include <cartwright/cartwright.hpp>
#include <cmath>

namespace cw = cartwright;

struct Water {
  double gravity = 9.81, cfl = 0.4;
};

cw::Schema<Water> schema() {
  return {
      cw::key("gravity", &Water::gravity).unit("m/s2").above(0.0).about("weight of a kilogram"),
      cw::key("cfl", &Water::cfl).above(0.0).maximum(1.0).about("cells a wave crosses in a step")};
}

template <int D>
using State = cw::Vector<double, D + 1>;

template <int D, class S>
KOKKOS_INLINE_FUNCTION auto flux_of(const S& q, int axis, double g) {
  S f = q;
  const auto speed = q[axis + 1] / q[0];
  for (int n = 0; n <= D; ++n) f[n] = q[n] * speed;
  f[axis + 1] += 0.5 * g * q[0] * q[0];
  return f;
}

template <int D>
struct Rusanov {
  cw::PackView<const State<D>, D> q;
  double gravity;
  template <class Point>
  KOKKOS_INLINE_FUNCTION auto operator()(const Point& i, int axis) const {
    const auto low = q(i.shifted(axis, -1)), high = q(i);
    const auto celerity = [&](const auto& s) {
      return cw::abs(s[axis + 1] / s[0]) + cw::sqrt(gravity * s[0]);
    };
    const auto fastest = cw::max(celerity(low), celerity(high));
    return 0.5 * (flux_of<D>(low, axis, gravity) + flux_of<D>(high, axis, gravity)) -
           0.5 * fastest * (high - low);
  }
};

template <int D>
struct Update {
  cw::PackView<const State<D>, D> in;
  cw::PackView<State<D>, D> out;
  double dt;
  template <class Point, class Flux>
  KOKKOS_INLINE_FUNCTION void operator()(const Point& i, const cw::Fluxes<Flux, D>& f) const {
    out(i) = in(i)-dt * cw::divergence(f, in, i);
  }
};

template <int D>
struct Crossed {
  cw::PackView<const State<D>, D> q;
  double gravity;
  template <class Point, class Value>
  KOKKOS_INLINE_FUNCTION void operator()(const Point& i, Value& most) const {
    const auto s = q(i);
    Value sum = 0.0;
    for (int a = 0; a < D; ++a)
      sum += (cw::abs(s[a + 1] / s[0]) + cw::sqrt(gravity * s[0])) * cw::inverse_width(q, i, a);
    most = cw::max(most, sum);
  }
};

template <int D>
void shallow(cw::Run& run, const Water& water) {
  cw::Grid<D> grid(run);
  cw::Field<State<D>, D> q(grid, "water"), next = q.like();
  run.initialize(q);
  for (auto step : run.steps(q).adaptive()) {
    double rate = 0.0;
    cw::reduce(q, cw::in_packs(Crossed<D>{cw::packs(q).reading(), water.gravity}), cw::Max(rate));
    const double dt = step.limit(water.cfl / rate);
    cw::exchange(q).overlap(
        cw::with_fluxes(cw::in_packs(Rusanov<D>{cw::packs(q).reading(), water.gravity}),
                        cw::in_packs(Update<D>{cw::packs(q).reading(), cw::packs(next), dt})));
    swap(q, next);
  }
}

int main(int argc, char** argv) {
  return cw::run(argc, argv,
                 {cw::Solver("shallow", "shallow water", schema())
                      .field("water", {{"depth", "m"}, cw::per_axis("discharge", "m2/s")})
                      .function(shallow<1>, shallow<2>)});
}
