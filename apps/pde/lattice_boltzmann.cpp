// SPDX-License-Identifier: Apache-2.0
// Slow flow of a viscous fluid: lattice Boltzmann, D2Q9 or D3Q19, with two relaxation times
// (Ginzburg, Verhaeghe and d'Humières, Commun. Comput. Phys. 3, 2008), forces as by Guo, Zheng and
// Shi (Phys. Rev. E 65, 2002); obstacles and walls throw back what meets them, halfway between two
// cells. A step streams and then collides.
#include <array>
#include <cmath>

#include "lattice.hpp"
#include "solvers.hpp"
#include "vorticity.hpp"

namespace cw = cartwright;

namespace pde {

struct LatticeBoltzmann {
  double viscosity = 1.0e-3;
  double speed = 1.0;
  std::vector<double> acceleration;
  double magic = 3.0 / 16.0;
};

cw::Schema<LatticeBoltzmann> lattice_boltzmann_schema() {
  return {
      cw::key("viscosity", &LatticeBoltzmann::viscosity).unit("m2/s").above(0.0).about("kinematic"),
      cw::key("speed", &LatticeBoltzmann::speed)
          .unit("m/s")
          .above(0.0)
          .about("the largest that is expected: its Mach number stays below 0.2"),
      cw::key("acceleration", &LatticeBoltzmann::acceleration)
          .unit("m/s2")
          .about("of all fluid, along each axis; default: none"),
      cw::key("magic", &LatticeBoltzmann::magic)
          .above(0.0)
          .about(
              "product of the relaxation times' distances from 1/2: with 3/16 walls are exact in "
              "a channel; 0.01 is stable with a third fewer cells, where viscosity is low")};
}

/// Density (its mean is about 1) and velocity.
template <int D>
using Flow = cw::Vector<double, D + 1>;

/// What a step needs to know, in units of the lattice: a cell, a step.
template <int D>
struct Units {
  double speed;      ///< of the lattice, in m/s
  double even, odd;  ///< rates of relaxation
  cw::Vector<double, D> acceleration{};

  Units(const cw::Grid<D>& grid, const LatticeBoltzmann& p, double dt)
      : speed(grid.spacing(0) / dt) {
    const double delay = 3.0 * p.viscosity / (speed * grid.spacing(0));
    even = 1.0 / (0.5 + delay);
    odd = 1.0 / (0.5 + p.magic / delay);
    for (int axis = 0; axis < D && !p.acceleration.empty(); ++axis)
      acceleration[axis] = p.acceleration[static_cast<std::size_t>(axis)] * dt / speed;
  }
  /// The velocity of a flow.
  KOKKOS_INLINE_FUNCTION cw::Vector<double, D> velocity(const Flow<D>& flow) const {
    cw::Vector<double, D> u{};
    for (int axis = 0; axis < D; ++axis) u[axis] = flow[axis + 1] / speed;
    return u;
  }
};

template <int D>
KOKKOS_INLINE_FUNCTION double equilibrium(int q, const Flow<D>& flow, const Units<D>& units) {
  const auto u = units.velocity(flow);
  return Lattice<D>::equilibrium(q, flow[0], u, false) +
         Lattice<D>::equilibrium(q, flow[0], u, true);
}

/// Density and velocity of populations, halfway through what the acceleration adds in a step:
/// `share` is 0.5 before a collision and -0.5 after it.
template <int D>
KOKKOS_INLINE_FUNCTION Flow<D> flow_of(const typename Lattice<D>::Populations& f,
                                       const Units<D>& units, double share) {
  Flow<D> flow{};
#pragma GCC unroll 19
  for (int q = 0; q < Lattice<D>::directions; ++q) {
    flow[0] += f[q];
    for (int axis = 0; axis < D; ++axis) flow[axis + 1] += Lattice<D>::along(q, axis) * f[q];
  }
  for (int axis = 0; axis < D; ++axis)
    flow[axis + 1] = units.speed * (flow[axis + 1] / flow[0] + share * units.acceleration[axis]);
  return flow;
}

/// What arrives at cell `i`: from its neighbours, or thrown back by solid ones.
template <int D, class Populations, class Solid>
KOKKOS_INLINE_FUNCTION typename Lattice<D>::Populations streamed(const Populations& f,
                                                                 const Solid& solid,
                                                                 const cw::Index<D>& i) {
  typename Lattice<D>::Populations result{};
#pragma GCC unroll 19
  for (int q = 0; q < Lattice<D>::directions; ++q) {
    const cw::Index<D> from = Lattice<D>::source(i, q);
    result[q] = solid(from) != 0 ? f(i)[Lattice<D>::last - q] : f(from)[q];
  }
  return result;
}

template <int D>
KOKKOS_INLINE_FUNCTION typename Lattice<D>::Populations collided(
    const typename Lattice<D>::Populations& f, const Flow<D>& flow, const Units<D>& units) {
  using L = Lattice<D>;
  const auto u = units.velocity(flow);
  double work = 0.0;
  for (int axis = 0; axis < D; ++axis) work += u[axis] * units.acceleration[axis];
  typename L::Populations result{};
#pragma GCC unroll 19
  for (int q = 0; q < L::directions; ++q) {
    const double even = 0.5 * (f[q] + f[L::last - q]) - L::equilibrium(q, flow[0], u, false);
    const double odd = 0.5 * (f[q] - f[L::last - q]) - L::equilibrium(q, flow[0], u, true);
    const double push = 3.0 * L::dot(q, units.acceleration);
    const double force = L::weight(q) * flow[0] *
                         ((1.0 - 0.5 * units.odd) * push +
                          (1.0 - 0.5 * units.even) * (3.0 * L::dot(q, u) * push - 3.0 * work));
    result[q] = f[q] - units.even * even - units.odd * odd + force;
  }
  return result;
}

/// Beyond open faces: the equilibrium of the flow there, and what the nearest cell deviates from
/// its own. Conditions of `flow` fill its ghosts beforehand.
template <int D>
void set_open_faces(cw::Field<typename Lattice<D>::Populations, D>& f, cw::Field<Flow<D>, D>& flow,
                    const Units<D>& units) {
  auto w = flow.view();
  for (int face = 0; face < 2 * D; ++face) {
    const int axis = face / 2;
    const int last = f.owned().upper[axis] - 1;
    f.set_boundary(
        cw::Face::from_number(face),
        KOKKOS_LAMBDA(const cw::FieldView<typename Lattice<D>::Populations, D>& view,
                      const cw::Index<D>& i, const cw::Vector<double, D>&, double) {
          cw::Index<D> inside = i;
          inside[axis] = i[axis] < 0 ? 0 : last;
          const typename Lattice<D>::Populations own = view(inside);
          const Flow<D> flow_inside = flow_of<D>(own, units, -0.5);
          const auto u = units.velocity(flow_inside);
          typename Lattice<D>::Populations ghost{};
#pragma GCC unroll 19
          for (int q = 0; q < Lattice<D>::directions; ++q)
            ghost[q] = equilibrium<D>(q, w(i), units) + 0.5 * (own[q] + own[Lattice<D>::last - q]) -
                       Lattice<D>::equilibrium(q, flow_inside[0], u, false);
          return ghost;
        });
  }
}

template <int D>
void set_equilibrium(cw::Field<typename Lattice<D>::Populations, D>& f, cw::Field<Flow<D>, D>& flow,
                     const Units<D>& units) {
  auto out = f.view();
  auto w = flow.view();
  cw::for_each(
      f, KOKKOS_LAMBDA(cw::Index<D> i) {
#pragma GCC unroll 19
        for (int q = 0; q < Lattice<D>::directions; ++q) out(i)[q] = equilibrium<D>(q, w(i), units);
      });
}

template <int D>
void compute_vorticity(cw::Field<Flow<D>, D>& flow, cw::Field<double, D>& vorticity) {
  auto w = flow.view();
  auto out = vorticity.view();
  cw::exchange(flow).overlap(KOKKOS_LAMBDA(cw::Index<D> i) {
    out(i) = vorticity_of<D>([&](int of, int axis) { return cw::derivative(w, i, axis)[of + 1]; });
  });
}

/// Cells are cubes; true if there are faces that fluid may cross.
template <int D>
bool has_open_faces(const cw::Grid<D>& grid) {
  bool is_open = false;
  for (int axis = 0; axis < D; ++axis) {
    is_open = is_open || !grid.periodic(axis);
    if (std::fabs(grid.spacing(axis) - grid.spacing(0)) > 1e-9 * grid.spacing(0))
      throw cw::input_error("lattice_boltzmann wants cells that are cubes",
                            "Choose grid.extent in proportion to grid.length.",
                            cw::rt::Reach::all_ranks);
  }
  return is_open;
}

template <int D>
void lattice_boltzmann(cw::Run& run, const LatticeBoltzmann& physics) {
  cw::Grid<D> grid(run);
  const bool is_open = has_open_faces(grid);
  const cw::FieldOptions options{.corners = true};
  cw::Field<typename Lattice<D>::Populations, D> f(grid, "populations", options), next = f.like();
  cw::Field<Flow<D>, D> flow(grid, "flow", options);
  cw::Field<unsigned char, D> obstacles(grid, "solid", options);
  cw::Field<double, D> vorticity(grid, "vorticity");
  run.initialize(flow, obstacles);
  cw::exchange(obstacles).wait();
  run.show(vorticity, [&] { compute_vorticity(flow, vorticity); });

  auto steps = run.steps(f, flow);
  steps.stable_below(0.2 / std::sqrt(3.0) * grid.spacing(0) / physics.speed,
                     "a Mach number of 0.2");
  const Units<D> units(grid, physics, steps.dt());
  set_open_faces(f, flow, units);
  run.on_fresh_start([&] { set_equilibrium(f, flow, units); });
  auto w = flow.view();
  auto solid = obstacles.view();
  for ([[maybe_unused]] auto step : steps) {
    if (is_open) cw::exchange(flow).wait();
    auto in = f.view();
    auto out = next.view();
    cw::exchange(f).overlap(KOKKOS_LAMBDA(cw::Index<D> i) {
      if (solid(i) != 0) {
        out(i) = in(i);
        w(i) = {1.0};
        return;
      }
      const auto arrived = streamed<D>(in, solid, i);
      w(i) = flow_of<D>(arrived, units, 0.5);
      out(i) = collided<D>(arrived, w(i), units);
    });
    swap(f, next);
  }
}

cw::grid::SolverEntry lattice_boltzmann_solver() {
  return cw::Solver("lattice_boltzmann", "slow viscous flow, D2Q9 and D3Q19",
                    lattice_boltzmann_schema())
      .field("flow", {{"density", "1"}, cw::per_axis("velocity", "m/s")})
      .default_boundary("no_slip")
      .field("solid")
      .field("vorticity", "1/s")
      .function(nullptr, lattice_boltzmann<2>, lattice_boltzmann<3>);
}

}  // namespace pde
