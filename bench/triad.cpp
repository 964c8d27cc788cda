// SPDX-License-Identifier: Apache-2.0
// The bandwidth that kernels on fields reach: the triad a = b + s c over 256³ doubles with
// cartwright::for_each, against plain OpenMP loops over rows.
// layouts: 1x2 2x1
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/cartwright.hpp>
#include <string>

#include "common/deck_run.hpp"
#include "common/opponents.hpp"
#include "common/program.hpp"
#include "common/race.hpp"
#include "common/triad.hpp"

namespace cw = cartwright;
namespace bench = cartwright::bench;

namespace {

constexpr int cells = 256;

bench::Summary rate_of(const bench::Summary& seconds) {
  const double amount = bench::Triad::bytes_per_element * cells * cells * cells / 1.0e9;
  return {amount / seconds.median, amount / seconds.upper_quartile,
          amount / seconds.lower_quartile};
}

void race_triads(cw::Run& run, const bench::Setting& setting, bench::Results& results) {
  cw::Grid<3> grid(run);
  cw::Field<double, 3> a(grid, "a");
  auto b = a.like();
  auto c = a.like();
  bench::Triad by_hand(bench::extents_of(grid));
  const double scale = 3.0;
  const auto ours = [&] {
    auto to = a.view();
    auto first = b.view();
    auto second = c.view();
    cw::for_each(
        a, KOKKOS_LAMBDA(cw::Index<3> i) { to(i) = first(i) + scale * second(i); });
  };
  const bench::Effort effort{.seconds = setting.options.quick ? 4.0 : 15.0};
  const auto times = bench::race(setting.world, {ours, [&] { by_hand.run(); }}, effort);
  const nlohmann::ordered_json parameters{{"elements", {cells, cells, cells}},
                                          {"ranks", setting.world.size()},
                                          {"layout", setting.layout},
                                          {"bytes_per_element", bench::Triad::bytes_per_element}};
  auto result = bench::Case::of_times("triad, " + setting.layout, parameters, times[0], times[1]);
  results.add(result);
  results.note(fmt::format("Bandwidth, 24 bytes an element: ours {:.1f} GB/s, by hand {:.1f} GB/s.",
                           rate_of(result.ours).median, rate_of(result.peer).median));
}

void measure(const bench::Setting& setting, bench::Results& results) {
  cartwright::grid::SolverEntry entry;
  entry.bind = [](cartwright::rt::SectionNode&) {};
  entry.name = "triad";
  entry.about = "bandwidth of memory";
  entry.functions[2] = [&](cw::Run& run) { race_triads(run, setting, results); };
  bench::run_deck(entry, fmt::format("grid: {{extent: [{0}, {0}, {0}], length: [1.0, 1.0, 1.0]}}\n"
                                     "time: {{steps: 1, step: 1.0}}\n",
                                     cells));
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_benchmark(argc, argv, "triad", measure);
}
