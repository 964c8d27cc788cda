// SPDX-License-Identifier: Apache-2.0
// Poisson's equation, 256³ cells, values 0 at walls, to 1e-10 of the first residual: multigrid
// alone, and as preconditioner of conjugate gradients, against hypre's conjugate gradients with
// PFMG and, in builds with PETSc, against PETSc's with PCMG. Memory, set-up and the solution itself
// count for all. layouts: 1x1 2x1
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/cartwright.hpp>
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/linear/solver.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "common/deck_run.hpp"
#include "common/opponents.hpp"
#include "common/program.hpp"
#include "common/race.hpp"
#include "peer/hypre_poisson.hpp"
#include "peer/petsc_poisson.hpp"

namespace cw = cartwright;
namespace bench = cartwright::bench;
namespace peer = cartwright::bench::peer;

namespace {

constexpr double tolerance = 1e-10;
constexpr double most_alone = 0.35, most_preconditioner = 0.55;  // of hypre's time

enum Contestant : std::size_t { alone, preconditioner, by_hypre, by_petsc, contestants };

using Values = cw::Field<double, 3>;

peer::PoissonProblem problem_of(const Values& u) {
  const cw::grid::Block block = u.block();
  return {u.grid().comm().communicator().handle(),
          block.start,
          block.count,
          block.global,
          {u.grid().spacing(0), u.grid().spacing(1), u.grid().spacing(2)},
          tolerance};
}

long long solve(Values& u, const Values& f, cw::linear::Method method) {
  const auto values = u.view();
  cw::for_each(
      u, KOKKOS_LAMBDA(cw::Index<3> i) { values(i) = 0.0; });
  cw::linear::Diffusion operation(u);
  cw::linear::Solver solver(operation, {.method = method, .tolerance = tolerance});
  return solver.solve(u, f).iterations;
}

double largest_difference(const Values& u, const std::vector<double>& other) {
  double difference = 0.0, largest = 0.0;
  const std::vector<double> values = bench::owned_values(u);
  for (std::size_t i = 0; i < values.size(); ++i) {
    difference = std::max(difference, std::abs(values[i] - other[i]));
    largest = std::max(largest, std::abs(values[i]));
  }
  const auto& comm = u.grid().comm();
  return comm.allreduce(difference, cartwright::comm::Operator::maximum) /
         comm.allreduce(largest, cartwright::comm::Operator::maximum);
}

void poisson(cw::Run& run, const bench::Setting& setting, bench::Results& results) {
  cw::Grid<3> grid(run);
  Values u(grid, "u"), f(grid, "f");
  run.initialize(f);
  const std::vector<double> right_side = bench::owned_values(f);
  std::vector<double> of_peer(right_side.size());
  const peer::PoissonProblem problem = problem_of(u);
  std::vector<long long> iterations(contestants, 0);
  double difference = 0.0, from_petsc = 0.0;
  bench::Race race(grid.comm().communicator(), contestants);
  const int rounds = setting.options.quick ? 1 : 5;
  for (int round = 0; round <= rounds; ++round) {  // the first one warms up
    race.turn(preconditioner,
              [&] { iterations[preconditioner] = solve(u, f, cw::linear::Method::cg); });
    race.turn(alone, [&] { iterations[alone] = solve(u, f, cw::linear::Method::multigrid); });
    if (peer::has_hypre()) {
      race.turn(by_hypre,
                [&] { iterations[by_hypre] = peer::solve_by_hypre(problem, right_side, of_peer); });
      difference = largest_difference(u, of_peer);
    }
    if (peer::has_petsc()) {
      race.turn(by_petsc,
                [&] { iterations[by_petsc] = peer::solve_by_petsc(problem, right_side, of_peer); });
      from_petsc = largest_difference(u, of_peer);
    }
    if (round == 0) race.restart();
  }
  if (!(difference < 1e-7 && from_petsc < 1e-7))
    throw cartwright::rt::internal_failure(
        fmt::format("the solution differs from hypre's by {:g} of the largest value, from PETSc's "
                    "by {:g}",
                    difference, from_petsc));
  const auto times = race.finish();
  const nlohmann::ordered_json parameters{{"cells", grid.extent(0)},
                                          {"ranks", setting.world.size()},
                                          {"layout", setting.layout},
                                          {"iterations", iterations},
                                          {"largest_difference_from_peer", difference}};
  const auto& judged = peer::has_hypre() ? times[by_hypre] : times[preconditioner];
  results.add(bench::Case::of_times("multigrid alone, " + setting.layout, parameters, times[alone],
                                    judged));
  if (peer::has_hypre())
    results.add(bench::Case::of_times("conjugate gradients with multigrid, " + setting.layout,
                                      parameters, times[preconditioner], judged));
  if (peer::has_petsc()) {
    results.add(bench::Case::of_times("multigrid alone / PETSc, " + setting.layout, parameters,
                                      times[alone], times[by_petsc]));
    results.add(bench::Case::of_times("conjugate gradients with it / PETSc, " + setting.layout,
                                      parameters, times[preconditioner], times[by_petsc]));
    results.note(
        fmt::format("PETSc (conjugate gradients with PCMG) {} iterations", iterations[by_petsc]));
  } else {
    results.note("Built without PETSc (Debian: petsc-dev), the second peer.");
  }
  results.note(fmt::format("Iterations: multigrid alone {}, conjugate gradients with it {}",
                           iterations[alone], iterations[preconditioner]));
  if (peer::has_hypre())
    results.note(
        fmt::format("hypre (PCG with PFMG) {}. The solutions differ by {:.1e} of the "
                    "largest value.\nWanted: at most {} and {} of hypre's time.",
                    iterations[by_hypre], difference, most_alone, most_preconditioner));
  else
    results.note(
        "Built without hypre (Debian: libhypre-dev): the peer is our own conjugate gradients "
        "with multigrid.");
}

void measure(const bench::Setting& setting, bench::Results& results) {
  const bench::ScratchDirectory scratch(setting.world);
  cartwright::grid::SolverEntry entry;
  entry.bind = [](cartwright::rt::SectionNode&) {};
  entry.name = "poisson";
  entry.about = "Poisson's equation";
  entry.fields = {{"u", ""}, {"f", ""}};
  entry.functions[2] = [&](cw::Run& run) { poisson(run, setting, results); };
  const int cells = setting.options.quick ? 128 : 256;
  bench::run_deck(entry, fmt::format("grid: {{extent: [{0}, {0}, {0}], length: [1.0, 1.0, 1.0]}}\n"
                                     "time: {{steps: 0}}\n"
                                     "initial: {{f: \"sin(7*x*x+2*y+5*z*x)+cos(9*y)+z\"}}\n"
                                     "output: {{directory: {1}, every: 0, diagnostics: 0}}\n",
                                     cells, scratch.path()));
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_benchmark(argc, argv, "poisson", measure);
}
