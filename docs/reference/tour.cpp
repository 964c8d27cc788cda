// SPDX-License-Identifier: Apache-2.0
// Every public name at work: the examples of reference/README.md. A test runs the program with its
// two decks.
#include <array>
#include <cartwright/cartwright.hpp>
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/linear/newton/newton.hpp>
#include <cartwright/linear/operators/stencil.hpp>
#include <cartwright/linear/solver.hpp>
#include <cmath>
#include <string>
#include <vector>

namespace cw = cartwright;

// example: cw::numerical_failure
void require(bool right, const std::string& what) {
  if (!right)
    throw cw::numerical_failure(what + " is wrong", "See tour.cpp.",
                                cartwright::rt::Reach::all_ranks);
}
// end

// example: cw::key cw::Schema cw::linear::schema cw::linear::Options
struct Wind {
  double speed = 0.5;
  std::vector<double> heights = {10.0, 100.0};
  cw::linear::Options linear{};
};

cw::Schema<Wind> wind_schema() {
  return cw::Schema<Wind>{
      cw::key("speed", &Wind::speed).unit("m/s").minimum(0.0).about("of the wind"),
      cw::key("heights", &Wind::heights).unit("m").length(1, 8).about("where it is measured")}
      .section("linear", &Wind::linear, cw::linear::schema(), "how the system is solved");
}
// end

using Field = cw::Field<double, 2>;
using Index = cw::Index<2>;

/// What `sum` would be if each point's value were that of `point(x, y)`; for tests.
bool close(double a, double b) {
  return std::abs(a - b) <= 1e-9 * (1.0 + std::abs(b));
}

void fields(cw::Run& run, cw::Grid<2>& grid) {
  const long long cells = grid.extent(0) * grid.extent(1);
  // example: cw::Grid
  const double cell = grid.spacing(0) * grid.spacing(1);  // m2
  const bool tunnel = grid.periodic(0) && !grid.periodic(1);
  // end
  require(close(cell * static_cast<double>(cells), grid.length(0) * grid.length(1)) && tunnel,
          "the grid");
  // example: cw::grid::GridBase
  const cw::grid::GridBase& any = grid;  // of any dimension
  const bool has_ground = any.is_boundary({1, cw::Side::low});
  const long long mine = any.block(cw::Centring::cell).points();
  const double width = any.spacing(0, 0);  // of the first cell along x, also of a stretched grid
  // end
  const auto all = grid.comm().allreduce(mine, cartwright::comm::Operator::sum);
  const auto on_ground =
      grid.comm().allreduce(has_ground ? mine : 0LL, cartwright::comm::Operator::sum);
  require(all == cells && on_ground > 0 && close(width, grid.spacing(0)), "what a grid knows");

  // example: cw::FieldOptions cw::Centring
  cw::Field<double, 2> density(grid, "density");  // cells, one ghost layer
  cw::Field<double, 2> height(grid, "height",
                              {.centring = cw::Centring::node});  // corners of cells
  cw::Field<float, 2> light(grid, "light", {.halo = 2, .corners = true});
  // end
  // example: cw::for_each
  auto out = density.view();
  auto position = density.coordinates();
  cw::for_each(
      density, KOKKOS_LAMBDA(cw::Index<2> i) { out(i) = 1.0 + position(i)[0] * position(i)[1]; });
  // end
  // example: cw::Index
  cw::exchange(density).wait();
  auto rho = density.view();
  auto sky = light.view();
  cw::for_each(
      light, KOKKOS_LAMBDA(cw::Index<2> i) {
        const cw::Index<2> left = i.shifted(0, -1), above = i.shifted(1, 1);
        sky(i) = static_cast<float>(rho(above) - rho(left)) + (i[0] == 0 ? 0.0F : 1.0F);
      });
  // end
  require(light.options().halo == 2 && height.centring() == cw::Centring::node, "FieldOptions");

  // example: cw::Field
  cw::Field<double, 2> next = density.like();  // the same name and conditions, memory of its own
  swap(density, next);                         // exchanges memory, nothing else
  auto in = next.view();                       // what kernels capture
  // end
  double sum = 0.0;
  cw::reduce(
      next, KOKKOS_LAMBDA(Index i, double& total) { total += in(i); }, cw::Sum(sum));
  const double middle =
      (grid.origin(0) + 0.5 * grid.length(0)) * (grid.origin(1) + 0.5 * grid.length(1));
  require(close(sum, static_cast<double>(cells) * (1.0 + middle)), "the sum of a field");

  // example: cw::Vector
  cw::Field<cw::Vector<double, 3>, 2> force(grid, "force");
  auto f = force.view();
  const cw::Vector<double, 3> gravity{{0.0, 0.0, -9.81}};
  cw::for_each(
      force, KOKKOS_LAMBDA(cw::Index<2> i) { f(i) = 2.0 * gravity; });
  // end
  require(close(cw::dot(force, force), static_cast<double>(cells) * 4 * 9.81 * 9.81), "Vector");

  // example: cw::Arrays
  cw::Field<cw::Arrays<cw::Vector<double, 3>>, 2> apart(grid, "apart");  // x, then y, then z
  auto a = apart.view();
  cw::for_each(
      apart, KOKKOS_LAMBDA(cw::Index<2> i) {
        a(i) = f(i);
        a(i)[0] += 1.0;
      });
  // end
  require(close(cw::dot(apart, apart), cw::dot(force, force) + static_cast<double>(cells)),
          "Arrays");
  (void)run;
}

// example: cw::FieldView
KOKKOS_INLINE_FUNCTION double upwind(const cw::FieldView<double, 2>& u, cw::Index<2> i,
                                     double speed) {
  return speed * u.inverse_spacing(0) * (u(i) - u(i.shifted(0, -1)));
}
// end

void conditions(cw::Grid<2>& grid) {
  // example: cw::BoundaryCondition cw::Face cw::Side
  cw::Field<double, 2> u(grid, "smoke");
  u.set_boundary({1, cw::Side::low}, cw::BoundaryCondition::dirichlet(2.0));  // y_low
  u.set_boundary(
      cw::Face{1, cw::Side::high},  // y_high: a rule of one's own
      KOKKOS_LAMBDA(const cw::FieldView<double, 2>& view, const cw::Index<2>& ghost,
                    const cw::Vector<double, 2>&,
                    double) { return 3.0 + view(ghost.shifted(1, -1)); });
  // end
  cw::exchange(u).wait();
  auto in = u.view();
  cw::Vector<double, 2> most{};
  for (const int side : {0, 1})
    cw::reduce(
        u,
        KOKKOS_LAMBDA(Index i, double& value) {
          value = std::fmax(value, in(i.shifted(1, side == 0 ? -1 : 1)));
        },
        cw::Max(most[side]));
  // u is 0: 2 on the face itself is 4 half a cell beyond it.
  require(close(most[0], 4.0) && close(most[1], 3.0), "a boundary condition");
}

void derivatives(cw::Grid<2>& grid) {
  cw::Field<double, 2> u(grid, "smoke", {.halo = 1});
  auto out = u.view();
  // example: cw::grid::Coordinates
  auto position = u.coordinates();  // of this field's points: middles of cells, here
  cw::for_each(
      u, KOKKOS_LAMBDA(cw::Index<2> i) { out(i) = position(i)[1] * position(i)[1]; });
  // end
  cw::exchange(u).wait();
  auto in = u.view();
  const int last = static_cast<int>(grid.block(cw::Centring::cell).count[1]) - 1;
  cw::Vector<double, 3> wrong{};
  cw::reduce(
      u,
      KOKKOS_LAMBDA(Index i, cw::Vector<double, 3> & sums) {
        if (i[1] == 0 || i[1] == last) return;  // beside walls
        const double y = position(i)[1];
        // example: cw::derivative cw::second_derivative cw::gradient cw::laplacian
        const double along_y = cw::derivative(in, i, 1);          // du/dy, central
        const double bent = cw::second_derivative(in, i, 1);      // d2u/dy2
        const cw::Vector<double, 2> slope = cw::gradient(in, i);  // both first derivatives
        const double spread = cw::laplacian(in, i);               // the sum of the second ones
        // end
        sums[0] += std::fabs(along_y - 2.0 * y) + std::fabs(slope[1] - along_y);
        sums[1] += std::fabs(bent - 2.0);
        sums[2] += std::fabs(spread - bent) + std::fabs(slope[0]);
      },
      cw::Sum(wrong));
  require(wrong[0] < 1e-6 && wrong[1] < 1e-6 && wrong[2] < 1e-6, "a derivative");
}

// example: cw::with_cells
template <class Cells>
void spread(cw::Field<double, 2>& u, cw::Field<double, 2>& next, const Cells& cells) {
  auto in = u.view();
  auto out = next.view();
  cw::exchange(u).overlap(
      KOKKOS_LAMBDA(cw::Index<2> i) { out(i) = in(i) + 1e-5 * cw::laplacian(in, i, cells); });
}

void spread(cw::Field<double, 2>& u, cw::Field<double, 2>& next) {
  cw::with_cells(u, [&](const auto& cells) { spread(u, next, cells); });
}
// end

// example: cw::with_fluxes cw::Fluxes cw::divergence
void conduct(cw::Field<double, 2>& u, cw::Field<double, 2>& next, double dt) {
  auto in = u.view();
  auto out = next.view();
  cw::exchange(u).overlap(cw::with_fluxes(
      KOKKOS_LAMBDA(cw::Index<2> i, int axis) {  // across the face between i and the cell below
        const double heat = cw::mean_below(in, i, axis);
        return -heat * heat * cw::difference_below(in, i, axis);
      },
      KOKKOS_LAMBDA(cw::Index<2> i, const cw::Fluxes<double, 2>& flux) {
        out(i) = in(i)-dt * cw::divergence(flux, in, i);
      }));
}
// end

void cells_of_all_kinds(cw::Grid<2>& grid) {
  cw::Field<double, 2> u(grid, "dust"), next = u.like();
  auto out = u.view();
  cw::for_each(
      u, KOKKOS_LAMBDA(Index i) { out(i) = 1.0; });
  u.set_boundary({1, cw::Side::low}, cw::BoundaryCondition::neumann(0.0));
  u.set_boundary({1, cw::Side::high}, cw::BoundaryCondition::neumann(0.0));
  spread(u, next);
  require(close(cw::dot(next, next), cw::dot(u, u)), "what spreads");
  conduct(u, next, 1e-5);
  require(close(cw::dot(next, next), cw::dot(u, u)), "what is conducted");
}

void reductions(cw::Grid<2>& grid) {
  cw::Field<double, 2> u(grid, "smoke"), v = u.like();
  auto a = u.view(), b = v.view();
  auto position = u.coordinates();
  cw::for_each(
      u, KOKKOS_LAMBDA(Index i) {
        a(i) = position(i)[0];
        b(i) = 2.0;
      });
  // example: cw::reduce cw::Sum
  double total = 0.0;
  cw::reduce(
      u, KOKKOS_LAMBDA(cw::Index<2> i, double& sum) { sum += a(i); }, cw::Sum(total));
  cw::Vector<double, 2> moments{};  // two sums in one collective
  cw::reduce(
      u,
      KOKKOS_LAMBDA(cw::Index<2> i, cw::Vector<double, 2> & sums) {
        sums[0] += a(i);
        sums[1] += a(i) * a(i);
      },
      cw::Sum(moments));
  // end
  // example: cw::Max cw::Min
  double most = 0.0, least = 0.0;
  cw::reduce(
      u, KOKKOS_LAMBDA(cw::Index<2> i, double& value) { value = std::fmax(value, a(i)); },
      cw::Max(most));  // std::fmax and std::fmin pass over NaN; this one doesn't:
  cw::reduce(
      u,
      KOKKOS_LAMBDA(cw::Index<2> i, double& value) {
        value = a(i) < value || std::isnan(a(i)) ? a(i) : value;
      },
      cw::Min(least));
  // end
  // example: cw::start_reduce
  double squares = 0.0;
  auto sum = cw::start_reduce(
      u, KOKKOS_LAMBDA(cw::Index<2> i, double& value) { value += a(i) * a(i); }, cw::Sum(squares));
  cw::exchange(v).wait();  // meanwhile the ranks combine theirs
  sum.wait();              // from here on `squares` is set, on every rank
  // end
  // example: cw::dot
  const double product = cw::dot(u, v);
  const double norm = std::sqrt(cw::dot(u, u));
  // end
  require(total == moments[0] && squares == moments[1] && close(product, 2.0 * total), "a sum");
  require(close(norm * norm, squares) && least > grid.origin(0) && most > least, "a reduction");
  // example: cw::comm::CartComm
  const auto& comm = grid.comm();  // needs <cartwright/comm/cart_comm.hpp>
  const int ranks = comm.allreduce(1, cartwright::comm::Operator::sum);
  // end
  require(ranks == comm.size(), "an allreduce");
}

// example: cw::flow_below cw::inverse_width
/// How fast momentum along x leaves the cell around a face across x, through its upper and lower
/// side: `cells[axis]` for what is on faces, `cells.middle()` for what is in the middle of cells.
template <class Cells>
void carried_by(cw::Staggered<double, 2>& velocity, cw::Field<double, 2>& out, const Cells& cells) {
  const cw::StaggeredView<double, 2> flow = velocity.view();
  auto rate = out.view();
  cw::for_each(
      velocity[0], KOKKOS_LAMBDA(cw::Index<2> i) {
        const double up = cw::flow_below(flow[1], i.shifted(1, 1), 0, cells[1]);
        const double down = cw::flow_below(flow[1], i, 0, cells[1]);
        const double difference = up * cw::mean_above(flow[0], i, 1, cells[0]) -
                                  down * cw::mean_below(flow[0], i, 1, cells[0]);
        rate(i) = difference * cw::inverse_width(flow[0], i, 1, cells[0]);
      });
}

void carried(cw::Staggered<double, 2>& velocity, cw::Field<double, 2>& out) {
  cw::with_cells(velocity, [&](const auto& cells) { carried_by(velocity, out, cells); });
}
// end

// example: cw::CellList
/// Counts every pair twice, on any number of ranks.
long long near_pairs(cw::Particles& dust) {
  dust.ghosts(0.3);
  cw::CellList cells(0.3);
  cells.sort(dust);
  long long pairs = 0;
  for (std::size_t bin = 0; bin < cells.bins(); ++bin) {
    const cw::CellList::Around around = cells.around(bin);
    for (std::size_t slot = cells.in(bin).begin; slot < cells.in(bin).end; ++slot) {
      if (cells.particle(slot) >= dust.size()) continue;  // a ghost: its owner looks after it
      for (const auto& piece : around)
        for (std::size_t other = piece.begin; other < piece.end; ++other) {
          const double dx = cells.along(0)[other] - cells.along(0)[slot];
          const double dy = cells.along(1)[other] - cells.along(1)[slot];
          if (dx * dx + dy * dy < 0.3 * 0.3 && other != slot) ++pairs;
        }
    }
  }
  return dust.ranks().allreduce(pairs, cw::comm::Operator::sum);
}
// end

void particles(cw::Grid<2>& grid) {
  // example: cw::Particles
  cw::Particles dust(grid, "dust", 60, {{"speed", "m/s", 2}, {"mass", "kg"}});
  dust.place([&](long long identity) {  // 10 by 6
    const auto column = static_cast<double>(identity % 10);
    const auto row = static_cast<double>(identity / 10);
    return std::array{0.2 * column + 0.1, 0.25 * row + 0.125, 0.0};
  });
  // end
  require(near_pairs(dust) == 2 * (60 + 50), "the number of pairs");
  // example: cw::ParticleAttribute
  cw::ParticleAttribute& mass = dust["mass"];
  for (double& m : mass.along(0)) m = 0.001;  // of this rank's particles
  // end
  cw::Field<cw::Vector<double, 2>, 2> air(grid, "breeze", {.corners = true});
  air.set_from([](const std::array<double, 3>& x, int axis) { return axis == 0 ? x[1] : 0.0; });
  cw::exchange(air).wait();
  // example: cw::Interpolation cw::ParticleView cw::for_each(Particles)
  const cw::Interpolation wind(air);
  const cw::ParticleView x = dust.position().view(), speed = dust["speed"].view();
  cw::for_each(dust, [=](std::ptrdiff_t p) {
    speed(p, 0) = wind(x, p)[0];
    x(p, 0) += 0.1 * speed(p, 0);
  });
  dust.migrate();  // each to the rank whose cells hold it now
  // end
  // example: cw::Deposition
  cw::Field<double, 2> density(grid, "dust in a cell");
  cw::Deposition onto_density(density);  // made once: it has memory
  const cw::ParticleView of = mass.view();
  onto_density(dust, [=](std::ptrdiff_t p) { return of(p); });
  // end
  // example: cw::reduce(Particles)
  double all_dust = 0.0;
  cw::reduce(
      dust, [=](std::ptrdiff_t p, double& sum) { sum += of(p); }, cw::Sum(all_dust));
  // end
  double deposited = 0.0;
  const auto n = density.view();
  cw::reduce(
      density, KOKKOS_LAMBDA(cw::Index<2> i, double& sum) { sum += n(i); }, cw::Sum(deposited));
  require(close(all_dust, 0.06) && close(deposited, all_dust), "dust in cells");
  // example: cw::random_number
  const std::uint64_t seed = 1, identity = 17;
  const double drawn = cw::random_number(seed, identity);  // from 0 to 1, on any rank the same
  // end
  require(drawn >= 0.0 && drawn < 1.0, "a random number");
  for (std::size_t p = 0; p < dust.size(); ++p)
    require(close(dust["speed"].at(p), dust.position().at(p, 1)) && mass.at(p) == 0.001,
            "dust in the wind");
}

void staggered(cw::Grid<2>& grid) {
  // example: cw::Staggered cw::StaggeredView
  cw::Staggered<double, 2> velocity(grid, "velocity");  // fields velocity_x and velocity_y
  const cw::StaggeredView<double, 2> flow = velocity.view();
  for (int axis = 0; axis < 2; ++axis)
    cw::for_each(
        velocity[axis], KOKKOS_LAMBDA(cw::Index<2> i) { flow[axis](i) = axis == 0 ? 3.0 : 0.0; });
  cw::exchange(velocity).wait();
  // end
  cw::Field<double, 2> pressure(grid, "pressure");
  auto p = pressure.view();
  // example: cw::difference_above cw::mean_above
  cw::for_each(
      pressure, KOKKOS_LAMBDA(cw::Index<2> i) {  // from faces to cells
        const double divergence =
            cw::difference_above(flow[0], i, 0) + cw::difference_above(flow[1], i, 1);
        p(i) = divergence + cw::mean_above(flow[0], i, 0);
      });
  // end
  cw::exchange(pressure).wait();
  double most = 0.0;
  // example: cw::difference_below cw::mean_below
  cw::exchange(pressure).overlap(
      KOKKOS_LAMBDA(cw::Index<2> i, double& value) {  // from cells to the faces below them
        const double push = cw::difference_below(p, i, 0);
        value = std::fmax(value, cw::mean_below(p, i, 0) + std::fabs(push));
      },
      cw::Max(most));
  // end
  require(close(most, 3.0), "a staggered field");
  cw::Field<double, 2> loss = velocity[0].like();
  carried(velocity, loss);
  require(!loss.first_not_finite(), "momentum on its way");
}

// example: cw::Run cw::Steps cw::Step cw::Table cw::Array
void wind(cw::Run& run, const Wind& physics) {
  cw::Grid<2> grid(run);
  cw::Field<double, 2> smoke(grid, "smoke"), next = smoke.like();
  run.initialize(smoke);                                    // the deck's section `initial`
  cw::Array<double> passed(run, "passed", 2);               // numbers that checkpoints hold
  cw::Table table(run, "passed", {"amount", "time step"});  // passed.csv
  auto steps = run.steps(smoke);
  steps.adaptive();
  for (auto step : steps) {
    const double dt = step.limit(0.5 * grid.spacing(0) / physics.speed);  // s; less at the end
    auto in = smoke.view();
    auto out = next.view();
    const double speed = physics.speed;
    double amount = 0.0;
    cw::exchange(smoke).overlap(
        KOKKOS_LAMBDA(cw::Index<2> i, double& sum) {
          out(i) = in(i)-dt * upwind(in, i, speed);
          sum += out(i);
        },
        cw::Sum(amount));
    swap(smoke, next);
    passed[0] += amount * dt;
    table.add(step.number, {amount, dt});
    if (amount < 1e-9) steps.stop("all smoke is gone");
  }
  run.runtime().log().entry("passed", std::to_string(passed[0]));
}
// end

void tour(cw::Run& run, const Wind& physics) {
  cw::Grid<2> grid(run);
  fields(run, grid);
  conditions(grid);
  derivatives(grid);
  cells_of_all_kinds(grid);
  reductions(grid);
  staggered(grid);
  particles(grid);
  // example: cw::input_error
  for (const double height : physics.heights)
    if (height < 0.0)
      throw cw::input_error("'wind.heights' has a negative one", "Give heights above the ground.",
                            cartwright::rt::Reach::all_ranks);
  // end
  wind(run, physics);
}

// example: cw::exchange
void smooth(cw::Field<double, 2>& u, cw::Field<double, 2>& v, double time) {
  auto a = u.view();
  auto b = v.view();
  cw::exchange(u).wait();                    // ghosts of u, now
  auto flight = cw::exchange(u, v).start();  // of both, in one message a neighbour
  flight.wait();
  cw::exchange(u).at(time).overlap(  // boundary values of another time; a kernel meanwhile
      KOKKOS_LAMBDA(cw::Index<2> i) {
        b(i) = 0.25 * (a(i.shifted(0, -1)) + 2.0 * a(i) + a(i.shifted(0, 1)));
      });
}
// end

// example: cw::Iterations cw::Iteration cw::Scalar
void relax(cw::Run& run, cw::Grid<2>& grid) {
  cw::Field<double, 2> u(grid, "smoke"), next = u.like();
  run.initialize(u);
  cw::Scalar best(run, "best", 1e300);  // a number that checkpoints hold
  auto iterations = run.iterations(u);
  for (auto k : iterations) {
    smooth(u, next, 0.0);
    swap(u, next);
    const double norm = std::sqrt(cw::dot(u, u));
    if (norm < best) best = norm;
    k.residual(norm);
    if (k.converged() && k.number < 2) iterations.stop("converged at once");
  }
}
// end

// example: cw::linear::Diffusion cw::linear::DiffusionOptions cw::linear::Solver cw::linear::Result
void pressure_of(cw::Grid<2>& grid, const cw::linear::Options& options) {
  cw::Field<double, 2> p(grid, "smoke"), f(grid, "source"), a(grid, "permeability");
  auto source = f.view();
  auto permeability = a.view();
  auto position = f.coordinates();
  cw::for_each(
      f, KOKKOS_LAMBDA(cw::Index<2> i) {
        permeability(i) = 1.0 + position(i)[0];
        source(i) = position(i)[1] < 0.25 ? 1.0 : 0.0;
      });
  cw::linear::Diffusion operation(p, a, {.reaction = 0.1});  // -div(a grad p) + 0.1 p
  cw::linear::Solver solver(operation, options);
  const cw::linear::Result& result = solver.solve(p, f);
  require(result.converged && result.last() <= 1e-6 * result.first(), "a linear system");
}
// end

// example: cw::linear::Stencil
void pressure_of_a_stencil(cw::Grid<2>& grid) {
  cw::Field<double, 2> p(grid, "smoke"), f = p.like();
  auto source = f.view();
  cw::for_each(
      f, KOKKOS_LAMBDA(cw::Index<2> i) { source(i) = i[0] % 2 == 0 ? 1.0 : 2.0; });
  cw::linear::Stencil operation(
      p,
      KOKKOS_LAMBDA(const cw::FieldView<const double, 2>& u, const cw::Index<2>& i) {
        return u(i) - 1e-3 * cw::laplacian(u, i);
      },
      1.0);
  cw::linear::Solver solver(operation, {.method = cw::linear::Method::cg,
                                        .preconditioner = cw::linear::Preconditioner::none});
  require(solver.solve(p, f).converged, "a system of one's own");
}
// end

// example: cw::linear::MultigridOptions cw::linear::method_schema
struct Pressure {
  cw::linear::Options linear = {.method = cw::linear::Method::multigrid,
                                .multigrid = {.cycle = cw::linear::Cycle::w, .after = 2}};
};

cw::Schema<Pressure> pressure_schema() {  // tolerance and limit are the deck's section `iteration`
  return cw::Schema<Pressure>{}.section("linear", &Pressure::linear, cw::linear::method_schema(),
                                        "how the pressure is found");
}

void pressure(cw::Run& run, const Pressure& parameters) {
  cw::Grid<2> grid(run);
  cw::Field<double, 2> p(grid, "pressure"), f(grid, "source");
  run.initialize(f);
  cw::linear::Diffusion operation(p);
  cw::linear::Solver solver(operation, run, parameters.linear);
  for (auto k : solver.iterations(run, p, f)) k.residual(solver.iterate());
}
// end

// example: cw::linear::Newton cw::linear::NewtonOptions cw::linear::newton_schema
struct Burning {
  cw::linear::NewtonOptions newton{.tolerance = 1e-10};
};

cw::Schema<Burning> burning_schema() {
  return cw::Schema<Burning>{}.section("newton", &Burning::newton, cw::linear::newton_schema(),
                                       "how the system is solved");
}

/// u + u^3 - laplacian(u) - source: 0 for the solution.
struct Burnt {
  cw::FieldView<const double, 2> source;
  KOKKOS_INLINE_FUNCTION double operator()(const cw::FieldView<const double, 2>& u,
                                           const cw::Index<2>& i) const {
    return u(i) + u(i) * u(i) * u(i) - cw::laplacian(u, i) - source(i);
  }
};

void burn(cw::Grid<2>& grid, const Burning& parameters) {
  cw::Field<double, 2> u(grid, "heat"), source(grid, "source");
  auto out = source.view();
  cw::for_each(
      source, KOKKOS_LAMBDA(cw::Index<2> i) { out(i) = 10.0; });
  cw::linear::Diffusion about(u, {.reaction = 1.0});  // near the derivative: it preconditions
  const Burnt balance{source.view().reading()};
  cw::linear::Newton newton(u, about, balance, parameters.newton);
  const long long corrections = newton.solve(u, balance);
  require(corrections < 20 && cw::dot(u, u) > 0.0, "a system that isn't linear");
}
// end

// example: cw::in_packs cw::packs cw::PackView cw::choose cw::NumberAt
/// Smoke fades where there is much of it: point by point, or as many as fit into a vector.
struct Fading {
  cw::PackView<double, 2> in, out;

  template <class Point>
  KOKKOS_INLINE_FUNCTION void operator()(const Point& i) const {
    const cw::NumberAt<Point> here = in(i);  // a double, or a pack of them
    out(i) = cw::choose(here > 0.5, 0.9 * here, here);
  }
};

void fade(cw::Field<double, 2>& smoke, cw::Field<double, 2>& next) {
  cw::for_each(smoke, cw::in_packs(Fading{cw::packs(smoke), cw::packs(next)}));
}
// end

// example: cw::abs cw::cos cw::elementwise cw::exp cw::log cw::max cw::min cw::pow cw::sin cw::sqrt
/// What burns: quickly where it is hot and where it glows unevenly, hardly where it is cold.
struct Glowing {
  cw::PackView<const double, 2> heat;  // only read: `auto` is a number, or a pack of them
  cw::PackView<double, 2> rate;

  template <class Point>
  KOKKOS_INLINE_FUNCTION void operator()(const Point& i) const {
    const auto temperature = cw::max(cw::abs(heat(i)), 0.01);
    const auto arrhenius = cw::pow(temperature, 0.7) * cw::exp(-2.0 / temperature);
    const auto slope = cw::gradient(heat, i);
    const auto uneven = cw::sqrt(slope[0] * slope[0] + slope[1] * slope[1]);
    const auto flicker = cw::sin(uneven) * cw::cos(uneven) + cw::log(1.0 + uneven);
    const auto spread = cw::elementwise([](double x) { return std::erf(x); }, flicker);
    rate(i) = cw::min(arrhenius + 0.1 * spread, 100.0);
  }
};
// end

// example: cw::StaggeredPackView cw::ValueAt
/// How fast it flows in the middle of cells, along each axis: from what flows through their faces.
struct InTheMiddle {
  cw::StaggeredPackView<const double, 2> faces;
  cw::PackView<cw::Vector<double, 2>, 2> middles;

  template <class Point>
  KOKKOS_INLINE_FUNCTION void operator()(const Point& i) const {
    cw::ValueAt<cw::Vector<double, 2>, Point> flow{};  // a Vector of numbers, or of packs
    for (int axis = 0; axis < 2; ++axis) flow[axis] = cw::mean_above(faces[axis], i, axis);
    middles(i) = flow;
  }
};

void find_middles(cw::Staggered<double, 2>& flow, cw::Field<cw::Vector<double, 2>, 2>& middles) {
  cw::exchange(flow).wait();
  cw::for_each(middles, cw::in_packs(InTheMiddle{cw::packs(flow).reading(), cw::packs(middles)}));
}
// end

void packs_of_points(cw::Grid<2>& grid) {
  cw::Field<double, 2> smoke(grid, "smoke"), next = smoke.like();
  smoke.set_from([](const std::array<double, 3>& x, int) { return x[0]; });
  fade(smoke, next);
  auto in = smoke.view(), out = next.view();
  double faults = 0.0;
  cw::reduce(
      next,
      KOKKOS_LAMBDA(cw::Index<2> i, double& count) {
        count += out(i) == (in(i) > 0.5 ? 0.9 * in(i) : in(i)) ? 0.0 : 1.0;
      },
      cw::Sum(faults));
  require(faults == 0.0, "a kernel in packs");

  cw::Field<double, 2> by_points = smoke.like();
  const auto glow = [&](auto& to) { return Glowing{cw::packs(smoke).reading(), cw::packs(to)}; };
  cw::exchange(smoke).wait();
  cw::for_each(next, cw::in_packs(glow(next)));
  cw::for_each(by_points, glow(by_points));
  require(cw::dot(next, next) == cw::dot(by_points, by_points), "functions of packs");

  cw::Staggered<double, 2> flow(grid, "flow");
  cw::Field<cw::Vector<double, 2>, 2> middles(grid, "middles");
  for (int axis = 0; axis < 2; ++axis)
    flow[axis].set_from([](const std::array<double, 3>&, int) { return 3.0; });
  find_middles(flow, middles);
  require(cw::dot(middles, middles) > 0.0, "faces in packs");
}

// example: cw::InnerLoop
void settle(cw::Run& run, cw::Grid<2>& grid) {
  cw::Field<double, 2> u(grid, "dust"), next = u.like();
  auto out = u.view();
  cw::for_each(
      u, KOKKOS_LAMBDA(cw::Index<2> i) { out(i) = 1.0; });
  cw::InnerLoop loop(run, "dust by smoothing", {.tolerance = 0.9, .limit = 500});
  for (loop.begin(std::sqrt(cw::dot(u, u))); !loop.ended();) {
    for (int sweep = 0; sweep < 1000; ++sweep) {
      spread(u, next);
      swap(u, next);
    }
    loop.residual(std::sqrt(cw::dot(u, u)));
  }
  loop.finish();  // exit code 2 and the reason, if it hasn't become small
}
// end

void descent(cw::Run& run, const Wind& physics) {
  cw::Grid<2> grid(run);
  packs_of_points(grid);
  pressure_of(grid, physics.linear);
  pressure_of_a_stencil(grid);
  burn(grid, Burning{});
  settle(run, grid);
  relax(run, grid);
}

// example: cw::fused
/// Smoke in the wind, several steps at once where that pays: with `time.fuse`, or without.
void drift(cw::Run& run, const Wind& physics) {
  cw::Grid<2> grid(run);
  cw::Field<double, 2> smoke(grid, "smoke", {.fused = true});
  auto next = smoke.like();
  run.initialize(smoke);
  auto steps = run.steps(smoke).fused();  // a turn of the loop makes step.count steps
  steps.stable_below(grid.spacing(0) / physics.speed, "upwind differences");
  for (auto step : steps) {
    const double way = physics.speed * step.dt;
    cw::fused(
        step, smoke, next, KOKKOS_LAMBDA(const cw::FieldView<const double, 2>& in, cw::Index<2> i) {
          return in(i)-way * cw::difference_below(in, i, 0);
        });
  }
}
// end

// example: cw::run cw::Solver cw::per_axis
int main(int argc, char** argv) {
  return cw::run(argc, argv,
                 {cw::Solver("wind", "smoke in the wind", wind_schema())
                      .field("smoke", "kg/m3")
                      .field("air", {{"pressure", "Pa"}, cw::per_axis("velocity", "m/s")})
                      .function(nullptr, tour),  // in two dimensions only
                  cw::Solver("pressure", "a pressure", pressure_schema())
                      .field("pressure", "Pa")
                      .field("source", "Pa/m2")
                      .function(nullptr, pressure),
                  cw::Solver("burning", "its parameters", burning_schema())
                      .function(nullptr,
                                [](cw::Run& run, const Burning& parameters) {
                                  cw::Grid<2> grid(run);
                                  burn(grid, parameters);
                                }),
                  cw::Solver("descent", "smoke settles", wind_schema())
                      .field("smoke", "kg/m3")
                      .function(nullptr, descent),
                  cw::Solver("drift", "smoke moves", wind_schema())
                      .field("smoke", "kg/m3")
                      .function(nullptr, drift)});
}
// end
