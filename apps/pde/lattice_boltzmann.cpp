// SPDX-License-Identifier: Apache-2.0
// Slow flow of a viscous fluid: lattice Boltzmann, D2Q9 or D3Q19, with two relaxation times
// (Ginzburg, Verhaeghe and d'Humières, Commun. Comput. Phys. 3, 2008), forces as by Guo, Zheng and
// Shi (Phys. Rev. E 65, 2002); obstacles and walls throw back what meets them, halfway between two
// cells. A step streams and then collides.
#include <array>
#include <cmath>
#include <optional>
#include <type_traits>

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

/// Density (its mean is about 1) and velocity; of a point, or of a pack of them.
template <int D, class Number = double>
using Flow = cw::Vector<Number, D + 1>;
template <int D, class Number = double>
using Populations = cw::Vector<Number, Lattice<D>::directions>;
/// Each population and component of the flow has an array: packs of cells read and write them.
template <int D>
using PopulationField = cw::Field<cw::Arrays<Populations<D>>, D>;
template <int D>
using FlowField = cw::Field<cw::Arrays<Flow<D>>, D>;
/// Not 0 in the cells that are meant.
template <int D>
using Mask = cw::Field<unsigned char, D>;

/// What a step needs to know, in units of the lattice: a cell, a step.
template <int D>
struct Units {
  double speed;      ///< of the lattice, in m/s
  double slowness;   ///< 1 / speed
  double even, odd;  ///< rates of relaxation
  bool is_pushed;    ///< there is an acceleration
  cw::Vector<double, D> acceleration{};

  Units(const cw::Grid<D>& grid, const LatticeBoltzmann& p, double dt)
      : speed(grid.spacing(0) / dt), slowness(1.0 / speed), is_pushed(!p.acceleration.empty()) {
    const double delay = 3.0 * p.viscosity / (speed * grid.spacing(0));
    even = 1.0 / (0.5 + delay);
    odd = 1.0 / (0.5 + p.magic / delay);
    for (int axis = 0; axis < D && is_pushed; ++axis)
      acceleration[axis] = p.acceleration[static_cast<std::size_t>(axis)] * dt / speed;
  }
  /// The velocity of a flow.
  template <class Number>
  KOKKOS_INLINE_FUNCTION cw::Vector<Number, D> velocity(
      const cw::Vector<Number, D + 1>& flow) const {
    cw::Vector<Number, D> u{};
    for (int axis = 0; axis < D; ++axis) u[axis] = slowness * flow[axis + 1];
    return u;
  }
};

template <int D>
KOKKOS_INLINE_FUNCTION Equilibrium<D> equilibrium(const Flow<D>& flow, const Units<D>& units) {
  return {flow[0], units.velocity(flow)};
}

/// Density and velocity of populations, halfway through what the acceleration adds in a step:
/// `share` is 0.5 before a collision and -0.5 after it.
template <int D, class Number>
KOKKOS_INLINE_FUNCTION Flow<D, Number> flow_of(const cw::Vector<Number, Lattice<D>::directions>& f,
                                               const Units<D>& units, double share) {
  using L = Lattice<D>;
  Flow<D, Number> flow{};
  flow[0] = f[L::last / 2];
#pragma GCC unroll 9
  for (int q = 0; q < L::last / 2; ++q) {  // each with its opposite
    const Number ahead = f[q] - f[L::last - q];
    flow[0] += f[q] + f[L::last - q];
    for (int axis = 0; axis < D; ++axis) L::add_along(q, axis, ahead, flow[axis + 1]);
  }
  const Number volume = 1.0 / flow[0];
  for (int axis = 0; axis < D; ++axis)
    flow[axis + 1] = units.speed * (volume * flow[axis + 1] + share * units.acceleration[axis]);
  return flow;
}

/// What arrives at cell `i` where none of its neighbours is solid.
template <int D, class View, class Point>
KOKKOS_INLINE_FUNCTION auto travelled(const View& f, const Point& i) {
  Populations<D, cw::NumberAt<Point>> result{};
#pragma GCC unroll 19
  for (int q = 0; q < Lattice<D>::directions; ++q) result[q] = f(Lattice<D>::source(i, q))[q];
  return result;
}

/// From its neighbours, or thrown back by solid ones.
template <int D, class View, class Solid, class Point>
KOKKOS_INLINE_FUNCTION auto streamed(const View& f, const Solid& solid, const Point& i) {
  using Number = cw::NumberAt<Point>;
  Populations<D, Number> result{};
#pragma GCC unroll 19
  for (int q = 0; q < Lattice<D>::directions; ++q) {
    const Point from = Lattice<D>::source(i, q);
    const Number thrown_back = f(i)[Lattice<D>::last - q], arrives = f(from)[q];
    result[q] = cw::choose(solid(from) != 0, thrown_back, arrives);
  }
  return result;
}

/// What the acceleration adds in a step.
template <int D, class Number>
KOKKOS_INLINE_FUNCTION void push(cw::Vector<Number, Lattice<D>::directions>& f,
                                 const Number& density, const cw::Vector<Number, D>& u,
                                 const Units<D>& units) {
  using L = Lattice<D>;
  Number work = 0.0;
  for (int axis = 0; axis < D; ++axis) work += u[axis] * units.acceleration[axis];
#pragma GCC unroll 19
  for (int q = 0; q < L::directions; ++q) {
    const double along = 3.0 * L::dot(q, units.acceleration);
    f[q] += L::weight(q) * density *
            ((1.0 - 0.5 * units.odd) * along +
             (1.0 - 0.5 * units.even) * (3.0 * L::dot(q, u) * along - 3.0 * work));
  }
}

template <int D, class Number>
KOKKOS_INLINE_FUNCTION Populations<D, Number> collided(
    const cw::Vector<Number, Lattice<D>::directions>& f, const cw::Vector<Number, D + 1>& flow,
    const Units<D>& units) {
  using L = Lattice<D>;
  const auto u = units.velocity(flow);
  const Equilibrium<D, Number> wanted(flow[0], u, units.even, units.odd);
  const double kept_even = 0.5 * (1.0 - units.even), kept_odd = 0.5 * (1.0 - units.odd);
  Populations<D, Number> result{};
#pragma GCC unroll 10
  for (int q = 0; q <= L::last / 2; ++q) {  // each with its opposite
    const Number& ahead = f[q];
    const Number& back = f[L::last - q];
    const Number even = kept_even * (ahead + back) + wanted.even(q);
    const Number odd = kept_odd * (ahead - back) + wanted.odd(q);
    result[q] = even + odd;
    result[L::last - q] = even - odd;
  }
  if (units.is_pushed) push<D>(result, flow[0], u, units);
  return result;
}

/// Beyond open faces: the equilibrium of the flow there, and what the nearest cell deviates from
/// its own. Conditions of `flow` fill its ghosts beforehand.
template <int D>
void set_open_faces(PopulationField<D>& f, FlowField<D>& flow, const Units<D>& units) {
  auto w = flow.view();
  for (int face = 0; face < 2 * D; ++face) {
    const int axis = face / 2;
    const int last = f.owned().upper[axis] - 1;
    f.set_boundary(
        cw::Face::from_number(face),
        KOKKOS_LAMBDA(const cw::FieldView<cw::Arrays<Populations<D>>, D>& view,
                      const cw::Index<D>& i, const cw::Vector<double, D>&, double) {
          cw::Index<D> inside = i;
          inside[axis] = i[axis] < 0 ? 0 : last;
          const Populations<D> own = view(inside);
          const Flow<D> flow_inside = flow_of<D>(own, units, -0.5);
          const Equilibrium<D> outside = equilibrium<D>(w(i), units),
                               there = equilibrium<D>(flow_inside, units);
          Populations<D> ghost{};
#pragma GCC unroll 19
          for (int q = 0; q < Lattice<D>::directions; ++q)
            ghost[q] = outside(q) + 0.5 * (own[q] + own[Lattice<D>::last - q]) - there.even(q);
          return ghost;
        });
  }
}

template <int D, class F, class W>
void set_equilibrium(cw::Field<F, D>& f, cw::Field<W, D>& flow, const Units<D>& units) {
  auto out = f.view();
  auto w = flow.view();
  cw::for_each(
      f, KOKKOS_LAMBDA(cw::Index<D> i) {
        const Equilibrium<D> wanted = equilibrium<D>(w(i), units);
#pragma GCC unroll 19
        for (int q = 0; q < Lattice<D>::directions; ++q) out(i)[q] = wanted(q);
      });
}

template <int D>
void compute_vorticity(FlowField<D>& flow, cw::Field<double, D>& vorticity) {
  auto w = flow.view();
  auto out = vorticity.view();
  cw::exchange(flow).overlap(KOKKOS_LAMBDA(cw::Index<D> i) {
    out(i) = vorticity_of<D>([&](int of, int axis) { return cw::derivative(w, i, axis)[of + 1]; });
  });
}

template <int D>
void require_cubes(const cw::Grid<D>& grid) {
  for (int axis = 0; axis < D; ++axis)
    if (std::fabs(grid.spacing(axis) - grid.spacing(0)) > 1e-9 * grid.spacing(0))
      throw cw::input_error("lattice_boltzmann wants cells that are cubes",
                            "Choose grid.extent in proportion to grid.length.",
                            cw::rt::Reach::all_ranks);
}

/// True if fluid may cross a face of the grid: not where all that lies beyond it is solid.
template <int D>
bool has_open_faces(Mask<D>& solid) {
  const auto& grid = solid.grid();
  auto inside = solid.owned();  // and what lies beyond faces between blocks
  auto deep = inside;           // who has no neighbour outside of that
  for (int axis = 0; axis < D; ++axis) {
    grid.is_boundary({axis, cw::Side::low}) ? ++deep.lower[axis] : --inside.lower[axis];
    grid.is_boundary({axis, cw::Side::high}) ? --deep.upper[axis] : ++inside.upper[axis];
  }
  auto is_solid = solid.view();
  double open = 0.0;
  cw::reduce(
      solid,
      KOKKOS_LAMBDA(cw::Index<D> i, double& total) {
        if (deep.contains(i)) return;
        for (int q = 0; q < Lattice<D>::directions; ++q) {
          const cw::Index<D> from = Lattice<D>::source(i, q);
          total += !inside.contains(from) && is_solid(from) == 0 ? 1.0 : 0.0;
        }
      },
      cw::Sum(open));
  return open > 0.0;
}

/// Marks solid cells and those beside one.
template <int D>
void find_walls(const Mask<D>& solid, Mask<D>& walls) {
  auto is_solid = solid.view();
  auto wall = walls.view();
  cw::for_each(
      walls, KOKKOS_LAMBDA(cw::Index<D> i) {
        wall(i) = 0;
        for (int q = 0; q < Lattice<D>::directions && wall(i) == 0; ++q)
          wall(i) = is_solid(Lattice<D>::source(i, q));
      });
}

/// A condition of a number, or of any of a pack.
template <class Condition>
KOKKOS_INLINE_FUNCTION bool is_any(const Condition& condition) {
  if constexpr (std::is_same_v<Condition, bool>)
    return condition;
  else
    return any_of(condition);
}

/// A step of a cell, or of a pack of cells.
template <int D>
struct StreamAndCollide {
  cw::PackView<cw::Arrays<Populations<D>>, D> in, out;
  cw::PackView<cw::Arrays<Flow<D>>, D> flow;
  cw::PackView<const unsigned char, D> solid, walls;
  Units<D> units;
  bool keeps_flow;

  template <class Point>
  KOKKOS_INLINE_FUNCTION void operator()(const Point& i) const {
    if (is_any(walls(i) != 0)) return beside_walls(i);
    const auto arrived = travelled<D>(in, i);
    const auto here = flow_of<D>(arrived, units, 0.5);
    if (keeps_flow) flow(i) = here;
    out(i) = collided<D>(arrived, here, units);
  }
  /// Some are solid, or have solid neighbours.
  template <class Point>
  KOKKOS_INLINE_FUNCTION void beside_walls(const Point& i) const {
    using Number = cw::NumberAt<Point>;
    const auto is_solid = solid(i) != 0;
    const Populations<D, Number> own = in(i);
    const auto arrived = streamed<D>(in, solid, i);
    const auto here = flow_of<D>(arrived, units, 0.5);
    Flow<D, Number> rest{};
    rest[0] = 1.0;
    if (keeps_flow) flow(i) = cw::choose(is_solid, rest, here);
    out(i) = cw::choose(is_solid, own, collided<D>(arrived, here, units));
  }
};

template <int D>
void lattice_boltzmann(cw::Run& run, const LatticeBoltzmann& physics) {
  cw::Grid<D> grid(run);
  require_cubes(grid);
  cw::FieldOptions options{.corners = true};
  FlowField<D> flow(grid, "flow", options);
  Mask<D> solid(grid, "solid", options), walls(grid, "walls");
  cw::Field<double, D> vorticity(grid, "vorticity");
  run.initialize(flow, solid);
  run.mask(solid);
  cw::exchange(solid).wait();
  find_walls(solid, walls);
  const bool is_open = has_open_faces(solid);
  if (!is_open) options.directions = Lattice<D>::steps();  // else ghosts give the flow there
  PopulationField<D> f(grid, "populations", options), next = f.like();
  std::optional<Units<D>> units;
  const auto step_from = [&](PopulationField<D>& now, PopulationField<D>& then, bool keeps_flow) {
    return cw::in_packs(StreamAndCollide<D>{cw::packs(now), cw::packs(then), cw::packs(flow),
                                            cw::packs(solid).reading(), cw::packs(walls).reading(),
                                            *units, keeps_flow});
  };
  bool has_begun = false;
  // Nobody reads the flow where no face is open: who looks at it makes the last step once more.
  if (!is_open)
    run.show(flow, [&] {
      if (has_begun) cw::for_each(f, step_from(next, f, true));
    });
  run.show(vorticity, [&] { compute_vorticity(flow, vorticity); });

  auto steps = is_open ? run.steps(f, flow) : run.steps(f);
  steps.stable_below(0.2 / std::sqrt(3.0) * grid.spacing(0) / physics.speed,
                     "a Mach number of 0.2");
  units.emplace(grid, physics, steps.dt());
  if (is_open) set_open_faces(f, flow, *units);
  run.on_fresh_start([&] { set_equilibrium(f, flow, *units); });
  for ([[maybe_unused]] auto step : steps) {
    if (is_open) cw::exchange(flow).wait();
    cw::exchange(f).overlap(step_from(f, next, is_open));
    swap(f, next);
    has_begun = true;
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
