// SPDX-License-Identifier: Apache-2.0
#include "uneven_solver.hpp"

#include <cartwright/cartwright.hpp>
#include <cartwright/comm/cart_comm.hpp>
#include <chrono>
#include <thread>

namespace cw = cartwright;

namespace cartwright::bench {
namespace {

struct Uneven {
  double part = 0.25;
  long long loops = 200;
  double sleep = 0.0;
  bool striped = false;
  double wake = 0.0;
};

cw::Schema<Uneven> schema() {
  return {cw::key("part", &Uneven::part).minimum(0.0).about("of the cells that take longer"),
          cw::key("loops", &Uneven::loops).minimum(0).about("multiplications in each of them"),
          cw::key("sleep", &Uneven::sleep)
              .minimum(0.0)
              .about("us that their rank sleeps for each, in every step"),
          cw::key("striped", &Uneven::striped).about("they are spread evenly along x"),
          cw::key("wake", &Uneven::wake)
              .minimum(0.0)
              .about("us that a rank with less than its even share waits in every step, as one "
                     "that wakes up late on a core which others use")};
}

/// A number that isn't 0, but so small that adding it to 1 gives 1.
KOKKOS_INLINE_FUNCTION double spend(long long loops, double value) {
  double factor = 1e-30 * (1.0 + value * value);
  for (long long i = 0; i < loops; ++i) factor = factor * 0.999999 + 1e-40;
  return factor;
}

/// Which cells take longer, by their place along x in a block that begins at `first`.
struct Costly {
  long long part, period, first;
  bool striped;
  KOKKOS_INLINE_FUNCTION bool operator()(long long cell) const {
    const long long x = first + cell;
    return striped ? x % period == 0 : x < part;
  }
};

std::chrono::duration<double> time_asleep(const Costly& costly, const grid::Block& block,
                                          double microseconds) {
  long long cells = 0;
  for (long long x = 0; x < block.count[0]; ++x)
    if (costly(x)) cells += block.points() / block.count[0];
  return std::chrono::duration<double, std::micro>(microseconds * static_cast<double>(cells));
}

template <int D>
void solve(cw::Run& run, const Uneven& uneven) {
  cw::Grid<D> grid(run);
  cw::Field<double, D> u(grid, "u"), next = u.like();
  run.initialize(u);
  auto steps = run.steps(u);
  steps.stable_below(0.5 / grid.inverse_spacing_squared(), "an explicit step");
  const double c = steps.dt();
  const Costly costly{static_cast<long long>(uneven.part * static_cast<double>(grid.extent(0))),
                      uneven.part > 0.0 ? static_cast<long long>(1.0 / uneven.part) : 1,
                      u.block().start[0], uneven.striped};
  const auto nap = time_asleep(costly, u.block(), uneven.sleep);
  const long long loops = uneven.loops;
  const bool wakes_late =
      uneven.wake > 0.0 && u.block().points() * grid.comm().size() < u.block().global_points();
  const std::chrono::duration<double, std::micro> late(uneven.wake);
  for ([[maybe_unused]] auto step : steps) {
    auto in = u.view();
    auto out = next.view();
    cw::exchange(u).overlap(KOKKOS_LAMBDA(cw::Index<D> i) {
      const double one = costly(i[0]) ? 1.0 + spend(loops, in(i)) : 1.0;
      out(i) = one * (in(i) + c * cw::laplacian(in, i));
    });
    std::this_thread::sleep_for(nap);
    if (wakes_late) {
      const rt::WaitScope waiting({"its core"});
      std::this_thread::sleep_for(late);
    }
    swap(u, next);
  }
}

}  // namespace

grid::SolverEntry uneven_solver() {
  return cw::Solver("uneven", "heat whose cells take longer on one side", schema())
      .field("u")
      .function(nullptr, solve<2>, solve<3>);
}

}  // namespace cartwright::bench
