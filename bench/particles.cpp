// SPDX-License-Identifier: Apache-2.0
// What particles and a grid say to each other, 8 in a cell of 64³: deposition, with the same bits
// on any number of ranks and threads, and interpolation, against deposition by a loop by hand,
// which is right on one rank and one thread only. Of particles that are anywhere, and of those that
// lie in the order of cells. layouts: 1x1
#include <fmt/format.h>

#include <array>
#include <cartwright/cartwright.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "common/deck_run.hpp"
#include "common/program.hpp"
#include "common/race.hpp"

namespace cw = cartwright;
namespace bench = cartwright::bench;

namespace {

constexpr long long cells = 64, of_a_cell = 8;
constexpr double width = 1.0 / cells;

/// Anywhere in the grid, or in the cell whose turn it is.
std::array<double, 3> place(long long identity, bool is_sorted) {
  std::array<double, 3> place{};
  long long cell = identity / of_a_cell;
  for (std::size_t axis = 0; axis < 3; ++axis, cell /= cells) {
    const double drawn = cw::random_number(1, static_cast<std::uint64_t>(3 * identity) + axis);
    place[axis] = is_sorted ? (static_cast<double>(cell % cells) + drawn) * width : drawn;
  }
  return place;
}

/// As users write and compile it: to the eight points around a particle, ghosts included.
[[gnu::noinline]] void deposit_by_hand(cw::Particles& particles, std::vector<double>& points) {
  constexpr std::ptrdiff_t row = cells + 2, plane = row * row;
  std::fill(points.begin(), points.end(), 0.0);
  const auto x = particles.position().view();
  const auto count = static_cast<std::ptrdiff_t>(particles.size());
  for (std::ptrdiff_t p = 0; p < count; ++p) {
    std::ptrdiff_t low[3];
    double part[3];
    for (int axis = 0; axis < 3; ++axis) {
      const double at = x(p, axis) / width + 0.5, below = std::floor(at);
      low[axis] = static_cast<std::ptrdiff_t>(below);
      part[axis] = at - below;
    }
    double* const first = points.data() + low[0] + row * low[1] + plane * low[2];
    for (int corner = 0; corner < 8; ++corner) {
      const int i = corner & 1, j = corner >> 1 & 1, k = corner >> 2;
      first[i + row * j + plane * k] += (i != 0 ? part[0] : 1.0 - part[0]) *
                                        (j != 0 ? part[1] : 1.0 - part[1]) *
                                        (k != 0 ? part[2] : 1.0 - part[2]);
    }
  }
}

void race_particles(cw::Run& run, bool is_sorted, const bench::Setting& setting,
                    bench::Results& results) {
  cw::Grid<3> grid(run);
  cw::Field<double, 3> density(grid, "density"), u(grid, "u", {.corners = true});
  cw::Particles particles(grid, "dust", cells * cells * cells * of_a_cell, {{"seen", ""}});
  particles.place([&](long long identity) { return place(identity, is_sorted); });
  cw::Deposition onto_density(density);
  std::vector<double> by_hand(static_cast<std::size_t>((cells + 2) * (cells + 2) * (cells + 2)));
  cw::exchange(u).wait();
  const cw::Interpolation at(u);
  const auto x = particles.position().view(), seen = particles["seen"].view();
  const bench::Effort effort{.seconds = setting.options.quick ? 4.0 : 15.0};
  const auto times =
      bench::race(setting.world,
                  {[&] { onto_density(particles, [](std::ptrdiff_t) { return 1.0; }); },
                   [&] { cw::for_each(particles, [=](std::ptrdiff_t p) { seen(p) = at(x, p); }); },
                   [&] { deposit_by_hand(particles, by_hand); }},
                  effort);
  const nlohmann::ordered_json parameters{{"particles", particles.count()},
                                          {"order", is_sorted ? "of cells" : "any"},
                                          {"layout", setting.layout}};
  results.add(bench::Case::of_times("deposition / by hand", parameters, times[0], times[2]));
  results.add(
      bench::Case::of_times("interpolation / deposition by hand", parameters, times[1], times[2]));
  const double each = bench::summarize(times[0]).median / static_cast<double>(particles.count());
  results.note(fmt::format("A particle's deposition takes {:.0f} ns, in {} order.", each * 1e9,
                           is_sorted ? "the cells'" : "any"));
}

void measure(const bench::Setting& setting, bench::Results& results) {
  cartwright::grid::SolverEntry entry;
  entry.bind = [](cartwright::rt::SectionNode&) {};
  entry.name = "particles";
  entry.about = "particles and a grid";
  for (const bool is_sorted : {false, true}) {
    entry.functions[2] = [&, is_sorted](cw::Run& run) {
      race_particles(run, is_sorted, setting, results);
    };
    bench::run_deck(entry, fmt::format("grid: {{extent: [{0}, {0}, {0}], length: [1.0, 1.0, 1.0], "
                                       "periodic: [true, true, true]}}\n"
                                       "time: {{steps: 1, step: 1.0}}\n",
                                       cells));
  }
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_benchmark(argc, argv, "particles", measure);
}
