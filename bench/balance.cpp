// SPDX-License-Identifier: Apache-2.0
// Work that lies on one side, moved by grid.balance: arrivals: a step compared with one of the same
// work spread evenly. Cells that take longer, and obstacles whose cells take less. layouts: 2x1 4x1
#include <fmt/format.h>

#include "../apps/pde/solvers.hpp"
#include "balance/uneven_solver.hpp"
#include "common/deck_run.hpp"
#include "common/program.hpp"

namespace bench = cartwright::bench;
namespace grid = cartwright::grid;

namespace {

constexpr double wanted = 1.1;  // of the evenly loaded run

/// One problem, with its work on one side and spread evenly.
struct Problem {
  std::string name;
  grid::SolverEntry solver;
  std::string common, uneven, even;  // text of decks
};

std::vector<Problem> problems(bool quick) {
  const int steps = quick ? 400 : 1000, loops = quick ? 600 : 150;
  const std::string time = fmt::format("time: {{steps: {}}}\n", steps);
  const std::string channel =
      "lattice_boltzmann: {viscosity: 1.0e-3, speed: 2.0, acceleration: [1, 0]}\n" + time;
  return {{"heat, costly cells at x_low", bench::uneven_solver(), time,
           // Said, as a deck's keys stay what the deck before has made them.
           fmt::format("uneven: {{part: 0.25, loops: {}, striped: false}}\n", loops),
           fmt::format("uneven: {{part: 0.25, loops: {}, striped: true}}\n", loops)},
          {"lattice_boltzmann, obstacles at x_low", pde::lattice_boltzmann_solver(), channel,
           "initial: {flow: {density: 1}, solid: \"x<0.4\"}\n",
           "initial: {flow: {density: 1}, solid: \"y<0.4\"}\n"}};
}

struct Steps {
  double last = 0.0, first = 0.0;
  int moves = 0;
};

Steps run(const Problem& problem, const bench::Setting& setting, const std::string& own,
          const std::string& balance, const std::string& folder) {
  grid::WorkBalance work(grid::WorkBalance::use_named(balance));
  const int cells = setting.options.quick ? 192 : 384;
  bench::run_deck(
      problem.solver,
      fmt::format("{}{}grid: {{extent: [{}, {}], periodic: [true, true], balance: {}}}\n"
                  "output: {{directory: {}, every: 0, diagnostics: 0}}\n"
                  "checkpoint: {{every: {}, keep: 1}}\n"
                  "mapping: {{process_grid: [{}, 1]}}\n",
                  problem.common, own, cells, cells, balance, folder,
                  setting.options.quick ? 50 : 200, setting.world.size()),
      &work);
  return {work.step_seconds(), work.first_step_seconds(), work.moves()};
}

void measure(const bench::Setting& setting, bench::Results& results) {
  const bench::ScratchDirectory scratch(setting.world);
  const int rounds = setting.options.quick ? 3 : 9;
  for (const Problem& problem : problems(setting.options.quick)) {
    std::vector<double> even, balanced, uneven;
    int moves = 0;
    for (int round = 0; round < rounds; ++round) {
      const std::string folder = fmt::format("{}/{}_", scratch.path(), round);
      even.push_back(run(problem, setting, problem.even, "watch", folder + "even").last);
      const Steps moved = run(problem, setting, problem.uneven, "arrivals", folder + "moved");
      balanced.push_back(moved.last);
      uneven.push_back(moved.first);
      moves = std::max(moves, moved.moves);
    }
    const nlohmann::ordered_json parameters{{"ranks", setting.world.size()}, {"moves", moves}};
    results.add(bench::Case::of_times(fmt::format("{}: balanced / even", problem.name), parameters,
                                      balanced, even));
    results.add(bench::Case::of_times(fmt::format("{}: before it was", problem.name), parameters,
                                      uneven, even));
  }
  results.note(fmt::format(
      "Times of a step. Wanted: at most {} of the evenly loaded run, balanced.", wanted));
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_benchmark(argc, argv, "balance", measure);
}
