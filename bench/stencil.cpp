// SPDX-License-Identifier: Apache-2.0
// The explicit heat equation in 3-D, 256³ doubles: a solver as a user writes it, exchange, boundary
// and step loop included, against the same step written by hand with MPI and OpenMP.
// layouts: 1x2 2x1
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/cartwright.hpp>
#include <cartwright/comm/cart_comm.hpp>
#include <chrono>
#include <cmath>
#include <string>

#include "common/deck_run.hpp"
#include "common/opponents.hpp"
#include "common/program.hpp"
#include "common/race.hpp"
#include "common/triad.hpp"
#include "peer/heat.hpp"

namespace cw = cartwright;
namespace bench = cartwright::bench;
namespace peer = cartwright::bench::peer;

namespace {

constexpr int cells = 256;  // along each axis
constexpr double diffusivity = 1.0e-4;

enum Contestant : std::size_t { solver, by_hand, folded_by_hand, triad, contestants };

/// The hand-written steps and the triad, which take turns with the solver.
class Opponents {
 public:
  Opponents(const cw::Field<double, 3>& u, double dt, std::chrono::seconds patience)
      : comm_(u.grid().comm()),
        end_(cartwright::rt::now() + patience),
        race_(comm_.communicator(), contestants),
        as_written_(problem_of(u, dt), peer::Heat::Arithmetic::as_written),
        folded_(problem_of(u, dt), peer::Heat::Arithmetic::folded),
        triad_(bench::extents_of(u.typed_grid())) {
    const std::vector<double> values = bench::owned_values(u);
    for (peer::Heat* const heat : {&as_written_, &folded_})
      bench::for_each_pair(heat->values(), values, [](double& own, double given) { own = given; });
  }

  /// The solver has ended one step: everybody else makes one, too. False when it is time to end.
  [[nodiscard]] bool take_turns() {
    const bool is_first = turns_++ == 0;
    if (!is_first) race_.end(solver);
    race_.turn(by_hand, [this] { as_written_.step(); });
    race_.turn(folded_by_hand, [this] { folded_.step(); });
    race_.turn(triad, [this] { triad_.run(); });
    if (is_first) race_.restart();  // it has warmed up
    const bool goes_on = cartwright::rt::now() < end_;
    const bool all_go_on =
        comm_.allreduce(goes_on ? 1 : 0, cartwright::comm::Operator::minimum) == 1;
    race_.begin();
    return all_go_on;
  }

  /// Collective. The largest difference from the hand-written solution (as written) anywhere.
  [[nodiscard]] double difference_from(const cw::Field<double, 3>& u) {
    double largest = 0.0;
    bench::for_each_pair(as_written_.values(), bench::owned_values(u),
                         [&](double a, double b) { largest = std::max(largest, std::abs(a - b)); });
    return u.grid().comm().allreduce(largest, cartwright::comm::Operator::maximum);
  }

  [[nodiscard]] std::vector<bench::Race::Samples> finish() const { return race_.finish(); }

 private:
  static peer::HeatProblem problem_of(const cw::Field<double, 3>& u, double dt) {
    const auto& grid = u.typed_grid();
    return {grid.comm().communicator().handle(),
            bench::neighbours_of(grid),
            bench::extents_of(grid),
            {1.0 / grid.spacing(0), 1.0 / grid.spacing(1), 1.0 / grid.spacing(2)},
            diffusivity * dt};
  }

  const cartwright::comm::CartComm& comm_;
  cartwright::rt::Ticks end_;
  bench::Race race_;
  peer::Heat as_written_, folded_;
  bench::Triad triad_;
  int turns_ = 0;
};

void add_cases(const std::vector<bench::Race::Samples>& times, double difference,
               const bench::Setting& setting, bench::Results& results) {
  const nlohmann::ordered_json parameters{{"cells", {cells, cells, cells}},
                                          {"ranks", setting.world.size()},
                                          {"layout", setting.layout},
                                          {"largest_difference_from_peer", difference}};
  results.add(bench::Case::of_times("heat step by hand, " + setting.layout, parameters,
                                    times[solver], times[by_hand]));
  results.add(bench::Case::of_times("by hand, coefficients folded, " + setting.layout, parameters,
                                    times[solver], times[folded_by_hand]));
  bench::Case bandwidth = bench::Case::of_times("bandwidth against the triad, " + setting.layout,
                                                parameters, times[solver], times[triad]);
  constexpr double step_bytes = 16.0;  // a cell: one value read, one written
  constexpr double points = double{cells} * cells * cells;
  const auto rate = [](double bytes, const bench::Summary& seconds) {
    const double amount = bytes * points / 1.0e9;
    return bench::Summary{amount / seconds.median, amount / seconds.upper_quartile,
                          amount / seconds.lower_quartile};
  };
  bandwidth.unit = "GB/s";
  bandwidth.parameters["bytes_per_cell"] = step_bytes;
  bandwidth.parameters["bytes_per_triad_element"] = bench::Triad::bytes_per_element;
  bandwidth.ours = rate(step_bytes, bandwidth.ours);
  bandwidth.peer = rate(bench::Triad::bytes_per_element, bandwidth.peer);
  const auto fraction = [](double ratio) {
    return step_bytes / bench::Triad::bytes_per_element / ratio;
  };
  bandwidth.ratio = {fraction(bandwidth.ratio.median), fraction(bandwidth.ratio.upper_quartile),
                     fraction(bandwidth.ratio.lower_quartile)};
  results.add(bandwidth);
  results.note(fmt::format(
      "Bandwidth counts 16 bytes a cell (one value read, one written) and 24 an element of the "
      "triad.\n"
      "Largest difference between the solver's values and those computed by hand: {:g}.",
      difference));
}

/// The heat solver as users write it; only the lines with `opponents` are not theirs.
void heat(cw::Run& run, const bench::Setting& setting, bench::Results& results) {
  cw::Grid<3> grid(run);
  cw::Field<double, 3> u(grid, "temperature");
  auto next = u.like();
  run.initialize(u);
  auto steps = run.steps(u);
  steps.stable_below(1.0 / (2.0 * diffusivity * grid.inverse_spacing_squared()), "diffusion");
  Opponents opponents(u, steps.dt(), std::chrono::seconds(setting.options.quick ? 12 : 60));
  for (auto step : steps) {
    auto in = u.view();
    auto out = next.view();
    const double c = diffusivity * step.dt;
    cw::exchange(u).overlap(
        KOKKOS_LAMBDA(cw::Index<3> i) { out(i) = in(i) + c * cw::laplacian(in, i); });
    swap(u, next);
    if (!opponents.take_turns()) steps.stop("time is up");
  }
  const double difference = opponents.difference_from(u);
  if (!(difference < 1.0e-12))
    throw cartwright::rt::internal_failure(
        fmt::format("the solver and the hand-written step differ by {:g}", difference));
  add_cases(opponents.finish(), difference, setting, results);
}

void measure(const bench::Setting& setting, bench::Results& results) {
  const bench::ScratchDirectory scratch(setting.world);
  cartwright::grid::SolverEntry entry;
  entry.bind = [](cartwright::rt::SectionNode&) {};
  entry.name = "stencil";
  entry.about = "heat equation";
  entry.fields = {{"temperature", "K"}};
  entry.functions[2] = [&](cw::Run& run) { heat(run, setting, results); };
  bench::run_deck(entry, fmt::format("grid: {{extent: [{0}, {0}, {0}], length: [1.0, 1.0, 1.0]}}\n"
                                     "time: {{steps: {1}}}\n"
                                     "initial: {{temperature: \"x*(1-x)*y*(1-y)*z\"}}\n"
                                     "output: {{directory: {2}, every: 0, diagnostics: 0}}\n",
                                     cells, setting.options.quick ? 81 : 301, scratch.path()));
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_benchmark(argc, argv, "stencil", measure);
}
