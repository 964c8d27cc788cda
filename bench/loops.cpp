// SPDX-License-Identifier: Apache-2.0
// Solvers of apps/pde with several numbers a cell, 128³ cells: their steps as they are written
// there against loops by hand with MPI and OpenMP, on arrays of doubles. Both call the same
// functions for the arithmetic of a cell, so that what differs is the framework's: views, indices,
// rows, ghosts. layouts: 1x2 2x1
#include <fmt/format.h>
#include <omp.h>

#include <array>
#include <cartwright/cartwright.hpp>
#include <chrono>
#include <cmath>
#include <cstring>
#include <functional>
#include <string>

#include "../apps/pde/euler.cpp"
#include "../apps/pde/gray_scott.cpp"
#include "../apps/pde/lattice_boltzmann.cpp"
#include "common/deck_run.hpp"
#include "common/opponents.hpp"
#include "common/program.hpp"
#include "common/race.hpp"
#include "common/triad.hpp"
#include "peer/periodic_cells.hpp"

namespace bench = cartwright::bench;
namespace peer = cartwright::bench::peer;

namespace {

enum Contestant : std::size_t { solver, by_hand, copy, contestants };

template <int N>
using Cell = cw::Vector<double, N>;

/// Numbers that a kernel reads and writes as one cell.
template <int N>
[[gnu::always_inline]] inline const Cell<N>& cell(const double* place) {
  return *reinterpret_cast<const Cell<N>*>(place);
}
template <int N>
[[gnu::always_inline]] inline Cell<N>& cell(double* place) {
  return *reinterpret_cast<Cell<N>*>(place);
}

/// Calls `kernel(x, y, z)` for all cells, in rows.
template <class Kernel>
void for_cells(const peer::Extents& extents, const Kernel& kernel) {
  peer::for_rows(0, extents[1], 0, extents[2], [&](int y, int z) {
    for (int x = 0; x < extents[0]; ++x) kernel(x, y, z);
  });
}

/// What every peer has: cells, their next values, and the field that they begin with.
template <int N, int halo>
class Peer {
 public:
  using Cells = peer::PeriodicCells<N, halo>;
  template <class T>
  explicit Peer(const cw::Field<T, 3>& field)
      : now(made(field)), next(made(field)), third(made(field)) {
    each_with(field, [](double& own, double given) { own = given; });
  }
  /// The number of doubles whose bits differ.
  template <class T>
  [[nodiscard]] long long differences(const cw::Field<T, 3>& field) {
    long long count = 0;
    each_with(field, [&](double& own, double given) {
      count += std::memcmp(&own, &given, sizeof own) != 0 ? 1 : 0;
    });
    return field.grid().comm().allreduce(count, cartwright::comm::Operator::sum);
  }

  Cells now, next, third;

 private:
  template <class T>
  [[nodiscard]] static Cells made(const cw::Field<T, 3>& field) {
    return Cells(bench::extents_of(field.typed_grid()), bench::neighbours_of(field.grid()),
                 field.grid().comm().communicator().handle());
  }
  template <class T, class Visit>
  void each_with(const cw::Field<T, 3>& field, const Visit& visit) {
    std::vector<Cell<N>> values(static_cast<std::size_t>(field.owned().size()));
    field.copy_owned_to(std::as_writable_bytes(std::span(values)));
    const auto [nx, ny, nz] = now.extents();
    std::size_t number = 0;
    for (int z = 0; z < nz; ++z)
      for (int y = 0; y < ny; ++y)
        for (int x = 0; x < nx; ++x, ++number)
          for (int c = 0; c < N; ++c) visit(now.at(x, y, z)[c], values[number][c]);
  }
};

/// Turns of a solver's step and of the hand-written one.
class Turns {
 public:
  Turns(const cartwright::comm::CartComm& comm, double seconds)
      : comm_(comm),
        end_(cartwright::rt::now() + std::chrono::milliseconds(static_cast<long>(1e3 * seconds))),
        race_(comm.communicator(), contestants) {}

  /// The solver has ended one step: its peer makes one, too, and `memory` moves what a step must.
  /// False when it is time to end.
  template <class Step>
  [[nodiscard]] bool take(
      const Step& step, const std::function<void()>& memory = [] {}) {
    const bool is_first = turns_++ == 0;
    if (!is_first) race_.end(solver);
    race_.turn(by_hand, step);
    race_.turn(copy, memory);
    if (is_first) race_.restart();  // it has warmed up
    const bool goes_on = cartwright::rt::now() < end_ || turns_ < 4;
    const bool all = comm_.allreduce(goes_on ? 1 : 0, cartwright::comm::Operator::minimum) == 1;
    race_.begin();
    return all;
  }

  void add(const std::string& name, long long differences, const bench::Setting& setting,
           bench::Results& results) const {
    if (differences != 0)
      throw cartwright::rt::internal_failure(
          fmt::format("{}: {} numbers of the solver differ from those by hand", name, differences));
    const auto times = race_.finish();
    results.add(bench::Case::of_times(name + ", " + setting.layout,
                                      {{"ranks", setting.world.size()}, {"layout", setting.layout}},
                                      times[solver], times[by_hand]));
  }
  void add_against_copy(const std::string& name, const bench::Setting& setting,
                        bench::Results& results) const {
    const auto times = race_.finish();
    results.add(bench::Case::of_times(name + ", " + setting.layout,
                                      {{"ranks", setting.world.size()}, {"layout", setting.layout}},
                                      times[copy], times[solver]));
  }

 private:
  const cartwright::comm::CartComm& comm_;
  cartwright::rt::Ticks end_;
  bench::Race race_;
  int turns_ = 0;
};

/// Euler's equations: five numbers a cell, two layers of ghosts, two stages. What crosses a face is
/// found once: it waits for the next cell, the next row or the next plane.
class EulerByHand : public Peer<5, 2> {
  using Gas = pde::Gas<3>;

 public:
  EulerByHand(const pde::GasField<3>& gas, double gamma) : Peer(gas), gamma_(gamma) {
    for (int axis = 0; axis < 3; ++axis)
      inverse_spacing_[static_cast<std::size_t>(axis)] = gas.view().inverse_spacing(axis);
  }
  void step(double dt) {
    stage(now, next, pde::heun[0], dt);
    stage(next, third, pde::heun[1], dt);
    swap(now, third);
  }

 private:
  [[nodiscard, gnu::always_inline]] static inline Gas at_face(const double* w,
                                                              std::ptrdiff_t stride, double side) {
    Gas state = cell<5>(w);
    const Gas below = cell<5>(w - stride), above = cell<5>(w + stride);
    for (int c = 0; c < 5; ++c)
      state[c] += side * pde::limited_slope(state[c] - below[c], above[c] - state[c]);
    return state;
  }
  /// Across the low face along the axis of `stride`.
  template <int axis>
  [[nodiscard, gnu::always_inline]] inline Gas flux(const double* w, std::ptrdiff_t stride) const {
    return pde::hllc<3>(at_face(w - stride, stride, 0.5), at_face(w, stride, -0.5), axis + 1,
                        gamma_);
  }
  void stage(Cells& from, Cells& to, const pde::Stage& each, double dt) {
    from.exchange();
#pragma omp parallel
    {
      const auto planes = cartwright::grid::part_range(from.extents()[2], omp_get_num_threads(),
                                                       omp_get_thread_num());
      advance_planes(from, to, each, dt, static_cast<int>(planes.begin),
                     static_cast<int>(planes.end));
    }
  }
  void advance_planes(const Cells& from, const Cells& to, const pde::Stage& each, double dt,
                      int begin, int end) const {
    const auto [nx, ny, nz] = from.extents();
    const auto [sx, sy, sz] = from.stride();
    std::vector<Gas> along_z(static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny));
    std::vector<Gas> along_y(static_cast<std::size_t>(nx));
    const auto at = [row = along_y.size()](int x, int y) {
      return static_cast<std::size_t>(y) * row + static_cast<std::size_t>(x);
    };
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x) along_z[at(x, y)] = flux<2>(from.at(x, y, begin), sz);
    for (int z = begin; z < end; ++z) {
      for (int x = 0; x < nx; ++x)
        along_y[static_cast<std::size_t>(x)] = flux<1>(from.at(x, 0, z), sy);
      for (int y = 0; y < ny; ++y) {
        Gas along_x = flux<0>(from.at(0, y, z), sx);
        for (int x = 0; x < nx; ++x) {
          const double* const w = from.at(x, y, z);
          Gas& below_y = along_y[static_cast<std::size_t>(x)];
          Gas& below_z = along_z[at(x, y)];
          const Gas above_x = flux<0>(w + sx, sx), above_y = flux<1>(w + sy, sy),
                    above_z = flux<2>(w + sz, sz);
          Gas lost = inverse_spacing_[0] * (above_x - along_x);
          lost += inverse_spacing_[1] * (above_y - below_y);
          lost += inverse_spacing_[2] * (above_z - below_z);
          along_x = above_x;
          below_y = above_y;
          below_z = above_z;
          const Gas last = pde::conserved<3>(cell<5>(w), gamma_) - dt * lost;
          cell<5>(to.at(x, y, z)) = pde::primitive<3>(
              each.old * pde::conserved<3>(cell<5>(now.at(x, y, z)), gamma_) + each.own * last,
              gamma_);
        }
      }
    }
  }
  double gamma_;
  std::array<double, 3> inverse_spacing_{};
};

void euler_against_hand(cw::Run& run, const bench::Setting& setting, bench::Results& results) {
  using Cells = cw::grid::EqualCells<3>;
  cw::Grid<3> grid(run);
  pde::GasField<3> gas(grid, "gas", {.halo = 2}), stage = gas.like(), next = gas.like();
  run.initialize(gas);
  const double gamma = 1.4;
  EulerByHand peer(gas, gamma);
  Turns turns(grid.comm(), setting.options.quick ? 2 : 25);
  auto steps = run.steps(gas);
  for (auto step : steps) {
    const double dt = step.dt;
    for (const pde::Stage& each : pde::heun) {
      pde::GasField<3>& from = each.at == 0.0 ? gas : stage;
      const pde::GasView<3> start = cw::packs(gas).reading(), in = cw::packs(from).reading();
      const pde::FluxBelow<3, Cells> flux{in, gamma, {}};
      const pde::Advance<3, Cells> advance{start, in, cw::packs(next), each, dt, gamma, {}};
      cw::exchange(from).overlap(cw::with_fluxes(cw::in_packs(flux), cw::in_packs(advance)));
      swap(stage, next);
    }
    swap(gas, stage);
    if (!turns.take([&] { peer.step(dt); })) steps.stop("time is up");
  }
  turns.add("euler", peer.differences(gas), setting, results);
}

/// Gray and Scott's reaction: two numbers a cell, one layer of ghosts.
class GrayScottByHand : public Peer<2, 1> {
 public:
  explicit GrayScottByHand(const cw::Field<Cell<2>, 3>& c) : Peer(c) {
    weight_ = c.view().inverse_spacing(0) * c.view().inverse_spacing(0);  // cells are cubes
  }
  void step(double dt, const Cell<2>& diffusivity, double feed, double kill) {
    now.exchange();
    const auto [sx, sy, sz] = now.stride();
    const double weight = weight_;
    const auto [nx, ny, nz] = now.extents();
    const Cell<2> spread_by = diffusivity;
    peer::for_rows(0, ny, 0, nz, [&, nx = nx, sy = sy, sz = sz](int y, int z) {
      const double* __restrict in = now.at(0, y, z);
      double* __restrict out = next.at(0, y, z);
      const double du = spread_by[0], dv = spread_by[1];
#pragma omp simd
      for (int x = 0; x < nx; ++x) {
        const double* const u = in + 2 * x;
        const double* const v = u + 1;
        const auto spread = [&](const double* c) {
          return weight * (((c[-2] + c[2]) + (c[-sy] + c[sy]) + (c[-sz] + c[sz])) - 6.0 * c[0]);
        };
        const double reaction = *u * *v * *v;
        out[2 * x] = *u + dt * (du * spread(u) - reaction + feed * (1.0 - *u));
        out[2 * x + 1] = *v + dt * (dv * spread(v) + reaction - (feed + kill) * *v);
      }
    });
    (void)sx;
    swap(now, next);
  }

 private:
  double weight_ = 0.0;
};

void gray_scott_against_hand(cw::Run& run, const bench::Setting& setting, bench::Results& results) {
  cw::Grid<3> grid(run);
  cw::Field<Cell<2>, 3> c(grid, "concentration"), next = c.like();
  run.initialize(c);
  const double feed = 0.03, kill = 0.062;
  const Cell<2> diffusivity{2.0e-5, 1.0e-5};
  GrayScottByHand peer(c);
  Turns turns(grid.comm(), setting.options.quick ? 1 : 10);
  auto steps = run.steps(c);
  for (auto step : steps) {
    auto in = c.view();
    auto out = next.view();
    const double dt = step.dt;
    cw::exchange(c).overlap(KOKKOS_LAMBDA(cw::Index<3> i) {
      const auto spread = cw::laplacian(in, i);
      const double u = in(i)[0], v = in(i)[1], reaction = u * v * v;
      out(i) = {u + dt * (diffusivity[0] * spread[0] - reaction + feed * (1.0 - u)),
                v + dt * (diffusivity[1] * spread[1] + reaction - (feed + kill) * v)};
    });
    swap(c, next);
    if (!turns.take([&] { peer.step(dt, diffusivity, feed, kill); })) steps.stop("time is up");
  }
  turns.add("gray_scott", peer.differences(c), setting, results);
}

/// Lattice Boltzmann, D3Q19: 19 numbers a cell, density and velocity beside them.
class LatticeByHand : public Peer<19, 1> {
 public:
  LatticeByHand(const cw::Field<Cell<19>, 3>& f, const pde::Units<3>& units)
      : Peer(f),
        units_(units),
        flow_(now.extents(), bench::neighbours_of(f.grid()),
              f.grid().comm().communicator().handle()),
        solid_(static_cast<std::size_t>(now.extents()[0] + 2) *
                   static_cast<std::size_t>(now.extents()[1] + 2) *
                   static_cast<std::size_t>(now.extents()[2] + 2),
               0) {}
  void step() {
    using L = pde::Lattice<3>;
    now.exchange();
    const auto stride = now.stride();
    const std::ptrdiff_t row = now.extents()[0] + 2, plane = row * (now.extents()[1] + 2);
    const pde::Units<3> units = units_;
    for_cells(now.extents(), [&](int x, int y, int z) {
      const double* const f = now.at(x, y, z);
      const unsigned char* const solid = solid_.data() + (x + 1) + (y + 1) * row + (z + 1) * plane;
      Cell<4>& w = cell<4>(flow_.at(x, y, z));
      Cell<19>& out = cell<19>(next.at(x, y, z));
      if (*solid != 0) {
        out = cell<19>(f);
        w = {1.0};
        return;
      }
      Cell<19> arrived;
#pragma GCC unroll 19
      for (int q = 0; q < 19; ++q) {
        const cw::Index<3> from = L::source(cw::Index<3>{}, q);
        arrived[q] = solid[from[0] + from[1] * row + from[2] * plane] != 0
                         ? f[18 - q]
                         : f[from[0] * stride[0] + from[1] * stride[1] + from[2] * stride[2] + q];
      }
      w = pde::flow_of<3>(arrived, units, 0.5);
      out = pde::collided<3>(arrived, w, units);
    });
    swap(now, next);
  }

 private:
  pde::Units<3> units_;
  peer::PeriodicCells<4, 1> flow_;
  std::vector<unsigned char> solid_;
};

template <class From, class To>
void copy_cells(const cw::Field<From, 3>& from, cw::Field<To, 3>& to) {
  const auto in = from.view();
  const auto out = to.view();
  cw::for_each(
      to, KOKKOS_LAMBDA(cw::Index<3> i) { out(i) = in(i); });
}

/// `Stored`: as cells, or each population in an array of its own.
template <class Stored>
void lattice_against_hand(cw::Run& run, const bench::Setting& setting, const std::string& name,
                          bench::Results& results) {
  const pde::LatticeBoltzmann physics{};
  cw::Grid<3> grid(run);
  const cw::FieldOptions options{.corners = true};
  cw::Field<Stored, 3> f(grid, "populations", options), next = f.like();
  cw::Field<Cell<19>, 3> cells(grid, "cells", options);
  cw::Field<pde::Flow<3>, 3> flow(grid, "flow", options);
  cw::Field<unsigned char, 3> obstacles(grid, "solid", options);
  run.initialize(flow, obstacles);
  cw::exchange(obstacles).wait();
  auto steps = run.steps(f, flow);
  const pde::Units<3> units(grid, physics, steps.dt());
  run.on_fresh_start([&] {
    pde::set_equilibrium(cells, flow, units);
    copy_cells(cells, f);
  });
  LatticeByHand peer(cells, units);
  Turns turns(grid.comm(), setting.options.quick ? 2 : 15);
  auto w = flow.view();
  auto solid = obstacles.view();
  for ([[maybe_unused]] auto step : steps) {
    auto in = f.view();
    auto out = next.view();
    cw::exchange(f).overlap(KOKKOS_LAMBDA(cw::Index<3> i) {
      if (solid(i) != 0) {
        out(i) = in(i);
        w(i) = {1.0};
        return;
      }
      const auto arrived = pde::streamed<3>(in, solid, i);
      w(i) = pde::flow_of<3>(arrived, units, 0.5);
      out(i) = pde::collided<3>(arrived, w(i), units);
    });
    swap(f, next);
    if (!turns.take([&] { peer.step(); })) steps.stop("time is up");
  }
  copy_cells(f, cells);
  turns.add(name, peer.differences(cells), setting, results);
}

/// As pde's solver steps: in packs; and against a copy of as many doubles, stored past the caches.
void lattice_in_packs(cw::Run& run, const bench::Setting& setting, bench::Results& results) {
  const pde::LatticeBoltzmann physics{};
  cw::Grid<3> grid(run);
  const cw::FieldOptions options{.corners = true};
  pde::PopulationField<3> f(grid, "populations",
                            {.corners = true, .directions = pde::Lattice<3>::steps()}),
      next = f.like();
  cw::Field<Cell<19>, 3> cells(grid, "cells", options);
  cw::Field<pde::Flow<3>, 3> flow(grid, "flow", options);
  pde::FlowField<3> w(grid, "w", options);
  const pde::Mask<3> none(grid, "solid", options);
  run.initialize(flow);
  auto steps = run.steps(f, flow);
  const pde::Units<3> units(grid, physics, steps.dt());
  run.on_fresh_start([&] {
    pde::set_equilibrium(cells, flow, units);
    copy_cells(cells, f);
  });
  LatticeByHand peer(cells, units);
  bench::StreamedCopy memory(bench::extents_of(grid), 19);
  Turns turns(grid.comm(), setting.options.quick ? 2 : 15);
  for ([[maybe_unused]] auto step : steps) {
    cw::exchange(f).overlap(
        cw::in_packs(pde::StreamAndCollide<3>{cw::packs(f), cw::packs(next), cw::packs(w),
                                              cw::packs(none), cw::packs(none), units, false}));
    swap(f, next);
    if (!turns.take([&] { peer.step(); }, [&] { memory.run(); })) steps.stop("time is up");
  }
  copy_cells(f, cells);
  turns.add("lattice_boltzmann in packs", peer.differences(cells), setting, results);
  turns.add_against_copy("a copy past the caches (304 bytes a cell), lattice_boltzmann in packs",
                         setting, results);
}

void run_solver(const bench::Setting& setting,
                const std::vector<cartwright::grid::FieldInfo>& fields, const std::string& time,
                const std::string& initial, const std::function<void(cw::Run&)>& body) {
  const bench::ScratchDirectory scratch(setting.world);
  cartwright::grid::SolverEntry entry;
  entry.bind = [](cartwright::rt::SectionNode&) {};
  entry.name = "loops";
  entry.about = "a solver against loops by hand";
  entry.fields = fields;
  entry.functions[2] = body;
  const int cells = setting.options.quick ? 32 : 128;
  bench::run_deck(entry,
                  fmt::format("grid: {{extent: [{0}, {0}, {0}], length: [1.0, 1.0, 1.0], periodic: "
                              "[true, true, true]}}\n"
                              "time: {{steps: 100000, step: {1}}}\ninitial: {2}\n"
                              "output: {{directory: {3}, every: 0, diagnostics: 0}}\n",
                              cells, time, initial, scratch.path()));
}

void measure(const bench::Setting& setting, bench::Results& results) {
  const std::string wave = "sin(2*pi*x)*cos(2*pi*y)*cos(2*pi*z)";
  run_solver(setting, {{"gas", "", {{"density"}, cw::per_axis("velocity"), {"pressure"}}}},
             "1.0e-3",
             fmt::format("{{gas: {{density: \"1+0.2*{0}\", velocity: [\"{0}\", 0.3, \"-{0}\"], "
                         "pressure: 1}}}}",
                         wave),
             [&](cw::Run& run) { euler_against_hand(run, setting, results); });
  run_solver(setting, {{"concentration", "", {{"u"}, {"v"}}}}, "0.1",
             fmt::format("{{concentration: {{u: \"1-0.3*{0}\", v: \"0.3*{0}+0.3\"}}}}", wave),
             [&](cw::Run& run) { gray_scott_against_hand(run, setting, results); });
  const auto lattice = [&](const std::function<void(cw::Run&)>& body) {
    run_solver(
        setting, {{"flow", "", {{"density"}, cw::per_axis("velocity")}}, {"solid", ""}}, "5.0e-4",
        fmt::format("{{flow: {{density: 1, velocity: [\"{0}\", \"-{0}\", 0.1]}}}}", wave), body);
  };
  lattice([&](cw::Run& run) {
    lattice_against_hand<Cell<19>>(run, setting, "lattice_boltzmann", results);
  });
  lattice([&](cw::Run& run) {
    lattice_against_hand<cw::Arrays<Cell<19>>>(run, setting, "lattice_boltzmann in arrays",
                                               results);
  });
  lattice([&](cw::Run& run) { lattice_in_packs(run, setting, results); });
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_benchmark(argc, argv, "loops", measure);
}
