// SPDX-License-Identifier: Apache-2.0
// What conjugate gradients lose in reductions where messages between nodes take their time: the
// pipelined form against the classical one, 2 nodes of 1 rank, messages delayed by 0.1 and by 1 ms
// (comm.links); and what the simulator expects on 4096 ranks. layouts: 2x1
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cartwright/cartwright.hpp>
#include <cartwright/comm/elements/binned_sum.hpp>
#include <cartwright/linear/solver.hpp>
#include <cartwright/plan/models/typical_machine.hpp>
#include <cartwright/plan/selection/selector.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "common/deck_run.hpp"
#include "common/program.hpp"
#include "common/race.hpp"

namespace cw = cartwright;
namespace bench = cartwright::bench;
namespace plan = cartwright::plan;

namespace {

constexpr double most_lost = 0.6;    // of what the classical form loses
constexpr double resolution = 1e-7;  // s: a smaller loss is none
constexpr std::array<double, 3> delays{0.0, 1e-4, 1e-3};
constexpr int cells = 32, iterations = 100;
constexpr std::size_t tries =
    5;  // of which the quickest counts: the machine has other things to do

enum Contestant : std::size_t { classical, pipelined, product, contestants };

using Samples = bench::Race::Samples;
using Values = cw::Field<double, 3>;

/// Seconds of an iteration: [delay][contestant][round].
using Times = std::array<std::array<Samples, contestants>, delays.size()>;

/// Iterations from zero, of a system that isn't solved so soon.
void iterate(Values& u, const Values& f, cw::linear::Solver<cw::linear::Diffusion<3, false>>& by) {
  const auto values = u.view();
  cw::for_each(
      u, KOKKOS_LAMBDA(cw::Index<3> i) { values(i) = 0.0; });
  by.begin(u, f);
  for (int k = 0; k < iterations; ++k) by.iterate();
}

/// What an iteration does without its sums: ghosts travel here, too.
void multiply(Values& u, Values& out) {
  const auto in = u.view();
  const auto to = out.view();
  for (int k = 0; k < iterations; ++k)
    cw::exchange(u).overlap(KOKKOS_LAMBDA(cw::Index<3> i) { to(i) = cw::laplacian(in, i); });
}

void measure_round(cw::Run& run, const bench::Setting& setting, std::size_t delay, Times& times) {
  cw::Grid<3> grid(run);
  Values u(grid, "u"), f(grid, "f"), out(grid, "out");
  run.initialize(f);
  cw::linear::Diffusion operation(u);
  using cw::linear::Method;
  const auto options = [](Method method) {
    return cw::linear::Options{.method = method,
                               .preconditioner = cw::linear::Preconditioner::jacobi,
                               .tolerance = 1e-14,
                               .limit = 2 * iterations};
  };
  cw::linear::Solver by_classical(operation, options(Method::cg)),
      by_pipelined(operation, options(Method::pipelined_cg));
  bench::Race race(setting.world, contestants);
  for (int turn = 0; turn < 2; ++turn) {  // the first one warms up
    race.restart();
    race.turn(classical, [&] { iterate(u, f, by_classical); });
    race.turn(pipelined, [&] { iterate(u, f, by_pipelined); });
    race.turn(product, [&] { multiply(u, out); });
  }
  const auto samples = race.finish();
  for (std::size_t who = 0; who < contestants; ++who)
    times[delay][who].push_back(samples[who].front() / iterations);  // of one try
}

double least(const Samples& samples) {
  return *std::ranges::min_element(samples);
}

/// The quickest of each round's tries.
Samples quickest(const Samples& samples) {
  Samples result;
  for (std::size_t begin = 0; begin + tries <= samples.size(); begin += tries)
    result.push_back(*std::min_element(samples.begin() + static_cast<long>(begin),
                                       samples.begin() + static_cast<long>(begin + tries)));
  return result;
}

/// How much longer an iteration takes because of the delay, less what its ghosts lose by it.
Samples lost(const Times& times, std::size_t delay, Contestant who) {
  const auto more = [&](Contestant of, std::size_t round) {
    return quickest(times[delay][of])[round] - quickest(times[0][of])[round];
  };
  Samples result;
  for (std::size_t round = 0; round < times[0][who].size() / tries; ++round)
    result.push_back(std::max(resolution, more(who, round) - std::max(0.0, more(product, round))));
  return result;
}

/// On ranks of so many cells: an iteration by each form, in seconds.
std::array<double, 2> expected(const Times& times, double ranks_here, double cells_of_rank,
                               double reduction) {
  const double measured_cells = std::pow(cells, 3) / ranks_here;
  const auto computing = [&](Contestant who) {
    return least(times[0][who]) * cells_of_rank / measured_cells;
  };
  const double hidden = std::min(reduction, computing(product));
  return {computing(classical) + 2 * reduction, computing(pipelined) + reduction - hidden};
}

void predict(const Times& times, double ranks_here, bench::Results& results) {
  constexpr int ranks = 4096, ranks_of_node = 64;
  constexpr plan::Count bytes = 3 * sizeof(cartwright::comm::BinnedSum);
  const plan::Candidate best =
      plan::select({.operation = plan::Operation::allreduce, .ranks = ranks, .elements = bytes / 8},
                   plan::typical_machine(ranks_of_node), {.simulated_steps = 10'000'000});
  const double reduction = static_cast<double>(best.time) * 1e-12;
  std::string text = fmt::format(
      "On {} ranks of a typical machine a reduction takes {:.1f} us (simulated: {}). An iteration, "
      "computing\nas here:",
      ranks, 1e6 * reduction, best.choice.name());
  for (const int edge : {8, 16, 32}) {
    const auto [one, other] = expected(times, ranks_here, std::pow(edge, 3), reduction);
    text +=
        fmt::format("\n  {0}^3 cells a rank: classical {1:.1f} us, pipelined {2:.1f} us: {3:.2f}",
                    edge, 1e6 * one, 1e6 * other, other / one);
  }
  results.note(text);
}

void measure(const bench::Setting& setting, bench::Results& results) {
  Times times;
  const std::size_t rounds = setting.options.quick ? 1 : 5;
  for (std::size_t round = 0; round < rounds * tries; ++round)
    for (std::size_t delay = 0; delay < delays.size(); ++delay) {
      cartwright::grid::SolverEntry entry;
      entry.bind = [](cartwright::rt::SectionNode&) {};
      entry.name = "reductions";
      entry.about = "conjugate gradients on a slow network";
      entry.fields = {{"u", ""}, {"f", ""}};
      entry.functions[2] = [&](cw::Run& run) { measure_round(run, setting, delay, times); };
      const std::string links =
          delay == 0 ? "" : fmt::format(", links: {{latency: {:.0f}us}}", 1e6 * delays[delay]);
      bench::run_deck(entry,
                      fmt::format("grid: {{extent: [{0}, {0}, {0}], length: [1.0, 1.0, 1.0]}}\n"
                                  "time: {{steps: 0}}\n"
                                  "mapping: {{topology: \"node:{2} core:1\"}}\n"
                                  "comm: {{backend: auto{1}}}\n"
                                  "initial: {{f: \"sin(7*x*x+2*y+5*z*x)+cos(9*y)+z\"}}\n",
                                  cells, links, setting.world.size()));
    }
  for (std::size_t delay = 1; delay < delays.size(); ++delay)
    results.add(bench::Case::of_times(
        fmt::format("lost in reductions, {:.1f} ms", 1e3 * delays[delay]),
        {{"delay_seconds", delays[delay]},
         {"cells", cells},
         {"layout", setting.layout},
         {"iteration_without_delay", {least(times[0][classical]), least(times[0][pipelined])}},
         {"iteration", {least(times[delay][classical]), least(times[delay][pipelined])}},
         {"bound", most_lost}},
        lost(times, delay, pipelined), lost(times, delay, classical)));
  results.note(fmt::format("Ours: pipelined, peer: classical, of an iteration. Wanted: at most {}.",
                           most_lost));
  predict(times, setting.world.size(), results);
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_benchmark(argc, argv, "reductions", measure);
}
