// SPDX-License-Identifier: Apache-2.0
#include "fused_solvers.hpp"

#include <cartwright/cartwright.hpp>

namespace cartwright::grid::test {
namespace {

constexpr double small_step = 1.0e-5;

template <int D>
void material(Run& run, const NoParameters&) {
  Grid<D> grid(run);
  const FieldOptions options{.fused = true};
  Field<double, D> u(grid, "u", options), next = u.like(), conductivity(grid, "k", options);
  run.initialize(u, conductivity);
  exchange(conductivity).wait();
  const auto k = conductivity.view().reading();
  auto steps = run.steps(u).fused();
  steps.stable_below(small_step, "the test");
  for (auto step : steps) {
    const double dt = step.dt;
    with_cells(u, [&](const auto& cells) {
      fused(
          step, u, next, KOKKOS_LAMBDA(const FieldView<const double, D>& in, const Index<D>& i) {
            const double mean = 0.5 * (k(i.shifted(0, 1)) + k(i.shifted(D - 1, -1)));
            return in(i) + dt * mean * laplacian(in, i, cells);
          });
    });
  }
}

template <int D>
void mix(Run& run, const NoParameters&) {
  using V = Vector<double, 2>;
  Grid<D> grid(run);
  Field<V, D> u(grid, "u", {.corners = true, .fused = true}), next = u.like();
  run.initialize(u);
  auto steps = run.steps(u).fused();
  steps.stable_below(small_step, "the test");
  for (auto step : steps) {
    fused(
        step, u, next, KOKKOS_LAMBDA(const FieldView<const V, D>& in, const Index<D>& i) {
          V value = in(i);
          for (int a = 0; a < D; ++a)
            value += 0.01 * (in(i.shifted(a, 1).shifted((a + 1) % D, -1)) - value);
          value[0] += 1e-3 * value[1];
          return value;
        });
  }
}

template <class V, int D>
void far(Run& run, const NoParameters&) {
  Grid<D> grid(run);
  Field<V, D> u(grid, "u", {.halo = 2, .fused = true}), next = u.like();
  run.initialize(u);
  auto steps = run.steps(u).fused();
  steps.stable_below(small_step, "the test");
  for (auto step : steps) {
    fused(
        step, u, next, KOKKOS_LAMBDA(const FieldView<const V, D>& in, const Index<D>& i) {
          ElementOf<V> value = in(i);
          for (int a = 0; a < D; ++a) {
            const ElementOf<V> low = in(i.shifted(a, -2)), high = in(i.shifted(a, 2));
            value += 0.02 * (low - high);
          }
          return value;
        });
  }
}
template <int D>
void far_sight(Run& run, const NoParameters& none) {
  if constexpr (D == 1)
    far<Arrays<Vector<double, 2>>, D>(run, none);
  else
    far<Vector<double, 2>, D>(run, none);
}

template <int D>
void walls(Run& run, const NoParameters&) {
  Grid<D> grid(run);
  Field<double, D> u(grid, "u", {.fused = true}), next = u.like();
  run.initialize(u);
  u.set_boundary(
      Face{D - 1, Side::low},
      KOKKOS_LAMBDA(const FieldView<double, D>& view, const Index<D>& i, const Vector<double, D>& x,
                    double time) { return view(i.shifted(D - 1, 1)) + x[0] + 1e3 * time; });
  auto steps = run.steps(u).fused();
  steps.stable_below(small_step, "the test");
  for (auto step : steps) {
    const double dt = step.dt;
    fused(
        step, u, next, KOKKOS_LAMBDA(const FieldView<const double, D>& in, const Index<D>& i) {
          return in(i) + dt * laplacian(in, i);
        });
  }
}

}  // namespace

SolverEntry uneven_material() {
  return Solver("material", "")
      .field("u")
      .field("k")
      .stretched_cells()
      .function(material<1>, material<2>, material<3>);
}
SolverEntry mixture() {
  return Solver("mixture", "").field("u", {{"a", ""}, {"b", ""}}).function(mix<1>, mix<2>, mix<3>);
}
SolverEntry far_sighted() {
  return Solver("far", "")
      .field("u", {{"a", ""}, {"b", ""}})
      .function(far_sight<1>, far_sight<2>, far_sight<3>);
}
SolverEntry own_walls() {
  return Solver("walls", "").field("u").function(walls<1>, walls<2>, walls<3>);
}

}  // namespace cartwright::grid::test
