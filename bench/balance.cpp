// SPDX-License-Identifier: Apache-2.0
// Work that lies on one side, moved by grid.balance: arrivals: a step compared with one of the same
// work spread evenly. Cells that take longer, obstacles whose cells take less, and pictures of a
// volume whose rays end early. layouts: 2x1 4x1
#include <fmt/format.h>

#include "../apps/pde/solvers.hpp"
#include "../apps/render/render.hpp"
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
  std::string domain;                // of `grid`: its extent, and what is periodic
  std::string common, uneven, even;  // text of decks
  int dimensions = 2;
};

std::vector<Problem> problems(bool quick) {
  const int steps = quick ? 400 : 1000, loops = quick ? 600 : 150;
  const std::string time = fmt::format("time: {{steps: {}}}\n", steps);
  const int cells = quick ? 192 : 384, voxels = quick ? 96 : 192;
  const std::string plane = fmt::format("extent: [{}, {}], periodic: [true, true]", cells, cells);
  const std::string cube = fmt::format("extent: [{}, {}, {}]", voxels, voxels, voxels);
  // Seen along y: rays that meet value 1 end at once, the others go through all of the volume.
  const std::string pictures = fmt::format(
      "render: {{size: [{}, {}], range: [0, 1], opacity: [[0, 0], [0.9, 0.02], [1, 1]], camera: "
      "{{projection: orthographic, azimuth: 90, elevation: 0}}, orbit: {{frames: {}, turn: 0}}}}\n",
      4 * voxels, 4 * voxels, quick ? 12 : 24);
  const std::string channel =
      "lattice_boltzmann: {viscosity: 1.0e-3, speed: 2.0, acceleration: [1, 0]}\n" + time;
  return {
      {"heat, costly cells at x_low", bench::uneven_solver(), plane, time,
       // Said, as a deck's keys stay what the deck before has made them.
       fmt::format("uneven: {{part: 0.25, loops: {}, striped: false}}\n", loops),
       fmt::format("uneven: {{part: 0.25, loops: {}, striped: true}}\n", loops)},
      {"lattice_boltzmann, obstacles at x_low", pde::lattice_boltzmann_solver(), plane, channel,
       "initial: {flow: {density: 1}, solid: \"x<0.4\"}\n",
       "initial: {flow: {density: 1}, solid: \"y<0.4\"}\n"},
      {"render, rays end early at x_low", render::entry(), cube, pictures,
       "initial: {field: \"x<0.4 ? 1 : 0.5\"}\n", "initial: {field: \"z<0.4 ? 1 : 0.5\"}\n", 3}};
}

struct Steps {
  double last = 0.0, first = 0.0;
  int moves = 0;
};

Steps run(const Problem& problem, const bench::Setting& setting, const std::string& own,
          const std::string& balance, const std::string& folder) {
  grid::WorkBalance work(grid::WorkBalance::use_named(balance));
  bench::run_deck(problem.solver,
                  fmt::format("{}{}grid: {{{}, balance: {}}}\n"
                              "output: {{directory: {}, every: 0, diagnostics: 0}}\n"
                              "checkpoint: {{every: {}, keep: 1}}\n"
                              "mapping: {{process_grid: [{}, 1{}]}}\n",
                              problem.common, own, problem.domain, balance, folder,
                              setting.options.quick ? 50 : 200, setting.world.size(),
                              problem.dimensions == 3 ? ", 1" : ""),
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
