// SPDX-License-Identifier: Apache-2.0
// Conjugate gradients for Poisson's equation while other programs take the last rank's processor
// from it: what dot products lose there with static algorithms, with comm.arrivals: on, and with
// grid.balance: arrivals. layouts: 2x1 4x1
#include <fmt/format.h>

#include <cartwright/cartwright.hpp>
#include <cartwright/comm/arrival_report.hpp>
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/grid/run/work_balance.hpp>
#include <optional>

#include "common/busy_neighbour.hpp"
#include "common/deck_run.hpp"
#include "common/program.hpp"

namespace bench = cartwright::bench;
namespace comm = cartwright::comm;
namespace cw = cartwright;
namespace rt = cartwright::rt;

namespace {

constexpr double wanted = 0.6;  // of what dot products lose with static algorithms

/// What the reductions of a run have cost, in s.
struct Lost {
  double after_last = 0.0;  ///< from the last arrival until all had left
  double waiting = 0.0;     ///< of a rank, from its arrival until it left; mean of the ranks
  double whole = 0.0;       ///< all iterations
  int moves = 0;            ///< of work
};

using Values = cw::Field<double, 3>;

/// a = b + factor a
void scale_and_add(Values& a, const Values& b, double factor) {
  auto out = a.view();
  auto in = b.view();
  cw::for_each(
      a, KOKKOS_LAMBDA(cw::Index<3> i) { out(i) = in(i) + factor * out(i); });
}

/// a = a + factor b
void add(Values& a, const Values& b, double factor) {
  auto out = a.view();
  auto in = b.view();
  cw::for_each(
      a, KOKKOS_LAMBDA(cw::Index<3> i) { out(i) += factor * in(i); });
}

/// q = -laplacian(p)
void apply(Values& p, Values& q) {
  auto in = p.view();
  auto out = q.view();
  cw::exchange(p).overlap(KOKKOS_LAMBDA(cw::Index<3> i) { out(i) = -cw::laplacian(in, i); });
}

/// Of the iterations since `begin`. Collective.
void add_up(const cw::Grid<3>& grid, rt::Ticks begin, Lost& lost) {
  lost.whole += rt::seconds_between(begin, rt::now());
  for (const comm::ArrivalSummary& site : comm::summarize_arrivals(grid.comm().all())) {
    if (!site.name.starts_with("allreduce")) continue;
    const auto calls = static_cast<double>(site.calls);
    double lateness = 0.0;
    for (const double late : site.lateness)
      lateness += late / static_cast<double>(site.lateness.size());
    lost.after_last += calls * site.after_last;
    lost.waiting += calls * (site.whole - lateness);
  }
}

/// Conjugate gradients, written down (Hestenes and Stiefel 1952). Called once more where work has
/// moved.
void solve(cw::Run& run, Lost& lost) {
  cw::Grid<3> grid(run);
  Values u(grid, "u"), r(grid, "f"), p(grid, "direction"), q(grid, "product");
  cw::Scalar rho(run, "rho", 0.0);
  run.on_fresh_start([&] {
    run.initialize(r);
    add(p, r, 1.0);
    rho = cw::dot(r, r);
  });
  auto steps = run.steps(u, r, p);
  const rt::Ticks begin = rt::now();
  try {
    for ([[maybe_unused]] auto step : steps) {
      apply(p, q);
      const double old = rho, length = old / cw::dot(p, q);
      add(u, p, length);
      add(r, q, -length);
      rho = cw::dot(r, r);
      scale_and_add(p, r, rho / old);
    }
  } catch (const cartwright::grid::WorkMoves&) {
    ++lost.moves;
    add_up(grid, begin, lost);
    throw;
  }
  add_up(grid, begin, lost);
}

struct Contestant {
  std::string name, arrivals, balance;
};

Lost run(const bench::Setting& setting, const Contestant& contestant, const std::string& folder) {
  Lost lost;
  cartwright::grid::SolverEntry entry;
  entry.bind = [](rt::SectionNode&) {};
  entry.name = "poisson";
  entry.about = "Poisson's equation";
  entry.fields = {{"u", ""}, {"f", ""}};
  entry.functions[2] = [&](cw::Run& of) { solve(of, lost); };
  const int cells = setting.options.quick ? 48 : 64, steps = setting.options.quick ? 300 : 1200;
  bench::run_deck(entry, fmt::format("grid: {{extent: [{0}, {0}, {0}], balance: {3}}}\n"
                                     "time: {{steps: {1}, step: 1, finite_every: 0}}\n"
                                     "initial: {{f: \"sin(7*x*x+2*y+5*z*x)+cos(9*y)+z\"}}\n"
                                     "output: {{directory: {2}, every: 0, diagnostics: 0}}\n"
                                     "checkpoint: {{every: {5}, keep: 1}}\n"
                                     "mapping: {{process_grid: [1, 1, {6}]}}\n"
                                     "comm: {{arrivals: {4}}}\n",
                                     cells, steps, folder, contestant.balance, contestant.arrivals,
                                     steps / 6, setting.world.size()));
  return lost;
}

void measure(const bench::Setting& setting, bench::Results& results) {
  const bench::ScratchDirectory scratch(setting.world);
  const int ranks = setting.world.size(), last = ranks - 1;
  const bool is_slowed = setting.world.rank().value == last;
  // The slowed rank has a processor of its own; the others share the rest.
  const int others = std::max(1, bench::processors() - 1);
  const int mine =
      bench::stay_on_processor(is_slowed ? others : setting.world.rank().value % others);
  const std::vector<Contestant> contestants{{"static", "watch", "none"},
                                            {"comm.arrivals: on", "on", "none"},
                                            {"grid.balance: arrivals, too", "on", "arrivals"}};
  std::vector<std::vector<double>> after(contestants.size()), waiting = after, whole = after;
  const int rounds = setting.options.quick ? 2 : 7;
  int moves = 0;
  // As many as share the others' processors, and one: so it is the slowest.
  const int neighbours = (ranks - 1 + others - 1) / others + 1;
  std::optional<bench::BusyNeighbours> load;
  if (is_slowed) load.emplace(neighbours, mine);
  for (int round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < contestants.size(); ++i) {
      const Lost lost =
          run(setting, contestants[i], fmt::format("{}/{}_{}", scratch.path(), round, i));
      after[i].push_back(lost.after_last);
      waiting[i].push_back(lost.waiting);
      whole[i].push_back(lost.whole);
      moves = std::max(moves, lost.moves);
    }
  for (std::size_t i = 1; i < contestants.size(); ++i) {
    const nlohmann::ordered_json parameters{{"ranks", ranks}, {"neighbours", neighbours}};
    const auto add = [&](const std::string& what, const auto& samples) {
      results.add(bench::Case::of_times(fmt::format("{}, {}", contestants[i].name, what),
                                        parameters, samples[i], samples.front()));
    };
    add("after the last arrival", after);
    add("in dot products", waiting);
    add("all iterations", whole);
  }
  results.note(
      fmt::format("{} ranks; {} processes compute on the last one's processor. The peer is "
                  "comm.arrivals: watch.\nWanted: at most {} of what dot products lose. Work moved "
                  "{} times at most.",
                  ranks, neighbours, wanted, moves));
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_benchmark(argc, argv, "slowed", measure);
}
