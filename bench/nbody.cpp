// SPDX-License-Identifier: Apache-2.0
// Gravity between all pairs: the kernel of apps/nbody, whose sums have the same bits on any number
// of ranks, against one by hand with plain sums (one rank); and the communication of a step by rows
// and columns against that by allgather, on three imagined nodes of two and six of one, with a
// network between them (six ranks). layouts: 1x1 6x1
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/cartwright.hpp>
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/grid/field/block_matrix_fill.hpp>
#include <string>
#include <vector>

#include "common/deck_run.hpp"
#include "common/program.hpp"
#include "common/race.hpp"
#include "gravity_kernel.hpp"
#include "pair_forces.hpp"
#include "peer/gravity.hpp"

namespace cw = cartwright;
namespace bench = cartwright::bench;

namespace {

constexpr double softening = 0.05;
constexpr long long bodies_of_ways = 1536;  // about 250 a rank, as Karlsson 2012 has

double random(long long identity, int number) {
  return cw::grid::random_element(1, static_cast<std::uint64_t>(4 * identity + number));
}

void race_kernels(const bench::Setting& setting, bench::Results& results) {
  for (const std::size_t count : {1024U, 4096U}) {
    nbody::Bodies bodies;
    bodies.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      for (int axis = 0; axis < 3; ++axis)
        bodies.x[static_cast<std::size_t>(axis)][i] = random(static_cast<long long>(i), axis);
      bodies.mass[i] = 1.5 + random(static_cast<long long>(i), 3);
    }
    const nbody::Softened law(1.0, softening, 1.5 * static_cast<double>(count));
    nbody::Sums sums;
    sums.clear(count);
    std::array<std::vector<double>, 3> by_hand;
    for (auto& along : by_hand) along.assign(count, 0.0);
    const auto ours = [&] { nbody::add_gravity(bodies, bodies, law, false, sums); };
    const auto peer = [&] {
      bench::add_gravity_by_hand(
          {bodies.x[0].data(), bodies.x[1].data(), bodies.x[2].data(), bodies.mass.data()}, count,
          count, law.softening_squared, {by_hand[0].data(), by_hand[1].data(), by_hand[2].data()});
    };
    const auto times =
        bench::race(setting.world, {ours, peer}, {.seconds = setting.options.quick ? 4.0 : 15.0});
    results.add(bench::Case::of_times(
        fmt::format("{} bodies, all pairs / by hand", count),
        {{"bodies", count}, {"ranks", setting.world.size()}, {"layout", setting.layout}}, times[0],
        times[1]));
  }
}

/// Of one evaluation, on the slowest rank.
double communication_of(nbody::PairForces& forces, const cw::comm::CartComm& ranks) {
  ranks.barrier();
  const double before = forces.communication_seconds();
  forces.compute(false);
  return ranks.allreduce(forces.communication_seconds() - before, cw::comm::Operator::maximum);
}

/// Which algorithms were chosen.
void note_decisions(const cw::comm::CartComm& ranks, bench::Results& results) {
  const auto note = [&](const cw::comm::Collectives& collectives, const std::string& where) {
    for (const auto& each : collectives.backends().decisions())
      results.note(fmt::format("{}, {} B, {}: {}", cw::plan::name_of(each.key.operation),
                               each.bytes, where, each.explanation));
  };
  note(ranks.all(), "all ranks");
  for (int axis = 0; axis < ranks.dimensions(); ++axis)
    note(ranks.along(axis), fmt::format("along axis {}", axis));
}

struct Times {
  std::vector<double> rows_and_columns, allgather;
};

/// Of communication, in turns.
Times times_of_ways(cw::Run& run, int rounds, bench::Results& results) {
  cw::Grid<3> grid(run);
  const auto ranks = run.make_cart({nbody::process_grid(grid.comm().size())});
  constexpr long long count = bodies_of_ways;
  cw::Particles bodies(grid, "bodies", count, {{"mass", "kg"}}, *ranks);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    for (int axis = 0; axis < 3; ++axis)
      bodies.position().at(i, axis) = random(bodies.identities()[i], axis);
    bodies["mass"].at(i) = 1.5 + random(bodies.identities()[i], 3);
  }
  nbody::PairForces ours(bodies, nbody::Way::rows_and_columns, 1.0, softening);
  nbody::PairForces peer(bodies, nbody::Way::allgather, 1.0, softening);
  Times times;
  for (int round = -2; round < rounds; ++round) {
    const double mine = communication_of(ours, *ranks), theirs = communication_of(peer, *ranks);
    if (round < 0) continue;
    times.rows_and_columns.push_back(mine);
    times.allgather.push_back(theirs);
  }
  note_decisions(*ranks, results);
  return times;
}

/// A network between the nodes, and how collectives go through it.
struct Network {
  int latency;           ///< us
  double bandwidth;      ///< GB/s
  std::string nodes;     ///< "node:3 core:2"
  std::string settings;  ///< of section comm
};

Times measure_ways(const bench::Setting& setting, const Network& network, bench::Results& results) {
  cw::grid::SolverEntry entry;
  entry.bind = [](cw::rt::SectionNode&) {};
  entry.name = "nbody";
  entry.about = "forces";
  Times times;
  entry.functions[2] = [&](cw::Run& run) {
    times = times_of_ways(run, setting.options.quick ? 7 : 21, results);
  };
  bench::run_deck(entry,
                  fmt::format("grid: {{extent: [8, 8, 8]}}\ntime: {{steps: 1, step: 1.0}}\n"
                              "mapping: {{topology: \"{}\"}}\n"
                              "comm: {{{}, links: {{latency: {}us, bandwidth: {}}}}}\n",
                              network.nodes, network.settings, network.latency, network.bandwidth));
  return times;
}

/// Gigabit Ethernet (85 us, 119 MB/s) 240 times slower, so that the computing of ranks that share
/// cores is short beside it; and a network where only bytes count.
void race_ways(const bench::Setting& setting, bench::Results& results) {
  const int ranks = setting.world.size();
  for (const std::string& nodes :
       {fmt::format("node:{} core:2", (ranks + 1) / 2), fmt::format("node:{} core:1", ranks)})
    for (const auto& [latency, bandwidth] : {std::pair{20000, 0.0005}, std::pair{2000, 0.0002}}) {
      const std::string network = fmt::format("{} ms, {:g} MB/s", latency / 1000, bandwidth * 1000);
      const auto add = [&](const std::string& what, const std::vector<double>& ours,
                           const std::vector<double>& peer) {
        results.add(bench::Case::of_times(
            fmt::format("{}, {}: {}", nodes, network, what),
            {{"bodies", bodies_of_ways}, {"network", network}, {"layout", setting.layout}}, ours,
            peer));
      };
      const Times chosen =
          measure_ways(setting, {latency, bandwidth, nodes, "axes: auto"}, results);
      const Times rings = measure_ways(
          setting, {latency, bandwidth, nodes, "axes: auto, allgather: {algorithm: ring}"},
          results);
      add("rows and columns / allgather", chosen.rows_and_columns, chosen.allgather);
      add("rows and columns / allgather by a ring", chosen.rows_and_columns, rings.allgather);
      add("rows and columns by rings / allgather", rings.rows_and_columns, chosen.allgather);
    }
}

void measure(const bench::Setting& setting, bench::Results& results) {
  if (setting.world.size() == 1) return race_kernels(setting, results);
  race_ways(setting, results);
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_benchmark(argc, argv, "nbody", measure);
}
