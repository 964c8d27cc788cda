// SPDX-License-Identifier: Apache-2.0
// The explicit heat equation in 3-D with one rank late in each step, drawn at random (it sleeps as
// long as a step takes): total time with ghosts by one-sided epochs (comm.backend: rma) against
// messages (p2p), both with overlap; and the same without delays. layouts: 4x1
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/cartwright.hpp>
#include <cartwright/comm/cart_comm.hpp>
#include <chrono>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "common/deck_run.hpp"
#include "common/opponents.hpp"
#include "common/program.hpp"
#include "common/race.hpp"

namespace cw = cartwright;
namespace bench = cartwright::bench;

namespace {

/// Who is late in which step: the same for both.
struct Lateness {
  unsigned seed = 0;
  std::chrono::duration<double> time{};  ///< zero: nobody is
};

struct Outcome {
  double seconds = 0;  ///< of all steps, on the slowest rank
  double sum = 0;      ///< of the solution: has the same bits whoever carries ghosts
};

constexpr int steps = 60;

void make_step(cw::Field<double, 3>& u, cw::Field<double, 3>& next) {
  const auto from = u.view();
  const auto to = next.view();
  cw::exchange(u).overlap(KOKKOS_LAMBDA(cw::Index<3> i) {
    double sum = 0;
    for (int axis = 0; axis < 3; ++axis) {
      cw::Index<3> low = i, high = i;
      --low[axis];
      ++high[axis];
      sum += from(low) + from(high);
    }
    to(i) = from(i) + 0.1 * (sum - 6.0 * from(i));
  });
  swap(u, next);
}

Outcome make_steps(cw::Run& run, const Lateness& late) {
  cw::Grid<3> grid(run);
  cw::Field<double, 3> u(grid, "u");
  cw::Field<double, 3> next = u.like();
  const auto at = u.view();
  const auto places = u.coordinates();
  cw::for_each(
      u, KOKKOS_LAMBDA(cw::Index<3> i) {
        at(i) = static_cast<double>(
            (places.global(i, 0) * 7 + places.global(i, 1) * 11 + places.global(i, 2) * 13) % 17);
      });
  const auto& cart = grid.comm();
  for (int warming = 0; warming < 4; ++warming) make_step(u, next);
  std::mt19937 random(late.seed);
  cart.barrier();
  const auto begin = cartwright::rt::now();
  for (int step = 0; step < steps; ++step) {
    const auto who = static_cast<int>(random() % static_cast<unsigned>(cart.size()));
    if (late.time.count() > 0 && who == cart.rank().value) std::this_thread::sleep_for(late.time);
    make_step(u, next);
  }
  cart.barrier();
  Outcome outcome;
  outcome.seconds = cart.allreduce(cartwright::rt::seconds_between(begin, cartwright::rt::now()),
                                   cartwright::comm::Operator::maximum);
  const auto values = u.view();
  cw::reduce(
      u, KOKKOS_LAMBDA(cw::Index<3> i, double& sum) { sum += values(i); }, cw::Sum(outcome.sum));
  return outcome;
}

Outcome measure(const std::string& backend, int cells, const Lateness& late) {
  Outcome outcome;
  cartwright::grid::SolverEntry entry;
  entry.bind = [](cartwright::rt::SectionNode&) {};
  entry.name = "late_halos";
  entry.about = "heat";
  entry.functions[2] = [&](cw::Run& run) { outcome = make_steps(run, late); };
  bench::run_deck(entry, fmt::format("grid: {{extent: [{0}, {0}, {0}], length: [1.0, 1.0, 1.0], "
                                     "periodic: [true, true, true]}}\n"
                                     "comm: {{backend: {1}}}\ntime: {{steps: 1, step: 1.0}}\n",
                                     cells, backend));
  return outcome;
}

void compare(int cells, bool with_delays, const bench::Setting& setting, bench::Results& results) {
  std::vector<double> ours, peer;
  const double step = measure("p2p", cells, {}).seconds / steps;
  const int rounds = setting.options.quick ? 7 : 31;
  for (int round = 0; round < rounds; ++round) {
    Lateness late{.seed = static_cast<unsigned>(round)};
    if (with_delays) late.time = std::chrono::duration<double>(step);
    const Outcome by_epochs = measure("rma", cells, late);
    const Outcome by_messages = measure("p2p", cells, late);
    if (by_epochs.sum != by_messages.sum)
      throw cartwright::rt::internal_failure("epochs bring other bits than messages");
    ours.push_back(by_epochs.seconds);
    peer.push_back(by_messages.seconds);
  }
  const nlohmann::ordered_json parameters{{"cells", {cells, cells, cells}},
                                          {"steps", steps},
                                          {"late", with_delays ? step : 0.0},
                                          {"layout", setting.layout}};
  const std::string what = with_delays
                               ? fmt::format("one rank late by {:.2f} ms a step", 1e3 * step)
                               : std::string("nobody late");
  results.add(bench::Case::of_times(fmt::format("{}^3, {}: rma, p2p", cells, what), parameters,
                                    ours, peer));
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_benchmark(argc, argv, "late_halos",
                              [](const bench::Setting& setting, bench::Results& results) {
                                for (const int cells : {64, 128})
                                  for (const bool with_delays : {false, true})
                                    compare(cells, with_delays, setting, results);
                              });
}
