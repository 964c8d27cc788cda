// SPDX-License-Identifier: Apache-2.0
// The explicit heat equation in 3-D, 256³ and 512³ doubles: a solver as a user writes it, exchange,
// boundary and step loop included, step by step and several steps at once, against the same step
// written by hand with MPI and OpenMP, and against what memory allows; then places of fields in a
// page, blocks of rows, and stores past the caches.
//
// layouts: 1x2 2x1
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/cartwright.hpp>
#include <cartwright/comm/cart_comm.hpp>
#include <chrono>
#include <cmath>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

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

constexpr double diffusivity = 1.0e-4;
constexpr int steps_at_once = 4;

enum Contestant : std::size_t {
  fused,             ///< cw::fused, several steps at once
  rows,              ///< exchange(u).overlap(kernel): values are stored as always
  past_caches,       ///< cw::fused, one step: they are stored past the caches
  by_hand,           ///< the same arithmetic as ours where spacings differ
  folded_by_hand,    ///< five constants worked out on paper
  streamed_by_hand,  ///< and stored past the caches
  triad,
  copy,  ///< of a field's values, past the caches
  contestants
};

using Field = cw::Field<double, 3>;

struct Heat {
  double c;
  KOKKOS_INLINE_FUNCTION double operator()(const cw::FieldView<const double, 3>& in,
                                           const cw::Index<3>& i) const {
    return in(i) + c * cw::laplacian(in, i);
  }
};

/// A step as one writes it who wants no more than `overlap`.
void step_by_rows(Field& u, Field& next, double c) {
  auto in = u.view();
  auto out = next.view();
  cw::exchange(u).overlap(
      KOKKOS_LAMBDA(cw::Index<3> i) { out(i) = in(i) + c * cw::laplacian(in, i); });
  swap(u, next);
}

/// Everybody who takes turns with the solver.
class Opponents {
 public:
  Opponents(Field& u, double dt, std::chrono::seconds patience)
      : comm_(u.grid().comm()),
        patience_(patience),
        race_(comm_.communicator(), contestants),
        c_(diffusivity * dt),
        dt_(dt),
        by_rows_(u),
        past_caches_(u),
        peers_{peer::Heat(problem_of(u, dt), peer::Heat::Arithmetic::as_written),
               peer::Heat(problem_of(u, dt), peer::Heat::Arithmetic::folded),
               peer::Heat(problem_of(u, dt), peer::Heat::Arithmetic::streamed)},
        triad_(bench::extents_of(u.typed_grid())),
        copy_(bench::extents_of(u.typed_grid()), 1) {
    const std::vector<double> values = bench::owned_values(u);
    for (Pair* const pair : {&by_rows_, &past_caches_})
      pair->u.copy_owned_from(std::as_bytes(std::span(values)));
    for (peer::Heat& heat : peers_)
      bench::for_each_pair(heat.values(), values, [](double& own, double given) { own = given; });
  }

  /// The solver has ended a turn of so many steps: everybody else makes as many. False when it is
  /// time to end.
  [[nodiscard]] bool take_turns(int steps) {
    const bool is_first = turns_++ == 0;
    if (!is_first) race_.end(fused, steps);
    // All make as many steps in a row: the first one finds in the caches what others have left.
    race_.turn(
        rows, [this] { step_by_rows(by_rows_.u, by_rows_.next, c_); }, steps);
    race_.turn(
        past_caches,
        [this] {
          auto& [u, next] = past_caches_;
          cw::fused(cw::Step{1, u.grid().time(), dt_}, u, next, Heat{c_});
        },
        steps);
    for (const Contestant hand : {by_hand, folded_by_hand, streamed_by_hand})
      race_.turn(
          hand, [this, hand] { peers_[hand - by_hand].step(); }, steps);
    race_.turn(
        triad, [this] { triad_.run(); }, 2);
    race_.turn(
        copy, [this] { copy_.run(); }, 2);
    if (is_first) {  // it has warmed up
      race_.restart();
      end_ = cartwright::rt::now() + patience_;
    }
    const bool goes_on = cartwright::rt::now() < end_;
    const bool all_go_on =
        comm_.allreduce(goes_on ? 1 : 0, cartwright::comm::Operator::minimum) == 1;
    race_.begin();
    return all_go_on;
  }

  /// Collective. The largest difference from the hand-written solution anywhere.
  [[nodiscard]] double difference_from(const Field& u) {
    double largest = 0.0;
    bench::for_each_pair(peers_[0].values(), bench::owned_values(u),
                         [&](double a, double b) { largest = std::max(largest, std::abs(a - b)); });
    return u.grid().comm().allreduce(largest, cartwright::comm::Operator::maximum);
  }
  /// Collective. Values of single steps that aren't those of several at once, bit by bit.
  [[nodiscard]] long long other_bits_than(const Field& u) const {
    long long count = 0;
    const std::vector<double> expected = bench::owned_values(u);
    for (const Pair* const pair : {&by_rows_, &past_caches_}) {
      const std::vector<double> found = bench::owned_values(pair->u);
      for (std::size_t i = 0; i < expected.size(); ++i)
        count += std::memcmp(&expected[i], &found[i], sizeof expected[i]) != 0 ? 1 : 0;
    }
    return comm_.allreduce(count, cartwright::comm::Operator::sum);
  }

  [[nodiscard]] std::vector<bench::Race::Samples> finish() const { return race_.finish(); }

 private:
  /// A field and what it becomes.
  struct Pair {
    explicit Pair(const Field& like) : u(like.typed_grid(), "temperature"), next(u.like()) {}
    Field u, next;
  };

  static peer::HeatProblem problem_of(const Field& u, double dt) {
    const auto& grid = u.typed_grid();
    return {grid.comm().communicator().handle(),
            bench::neighbours_of(grid),
            bench::extents_of(grid),
            {1.0 / grid.spacing(0), 1.0 / grid.spacing(1), 1.0 / grid.spacing(2)},
            diffusivity * dt};
  }

  const cartwright::comm::CartComm& comm_;
  std::chrono::seconds patience_;
  cartwright::rt::Ticks end_{};
  bench::Race race_;
  double c_, dt_;
  Pair by_rows_, past_caches_;
  std::array<peer::Heat, 3> peers_;
  bench::Triad triad_;
  bench::StreamedCopy copy_;
  int turns_ = 0;
};

/// What a contestant's time is of what memory allows, if so many bytes a cell must move: that of
/// the triad, whose stores read what they overwrite.
bench::Case fraction_of_triad(const std::string& name, nlohmann::ordered_json parameters,
                              double bytes, double cells, const bench::Race::Samples& ours,
                              const bench::Race::Samples& of_triad) {
  constexpr double triad_bytes = 32.0;
  bench::Case result = bench::Case::of_times(name, parameters, ours, of_triad);
  const auto rate = [cells](double each, const bench::Summary& seconds) {
    const double amount = each * cells / 1.0e9;
    return bench::Summary{amount / seconds.median, amount / seconds.upper_quartile,
                          amount / seconds.lower_quartile};
  };
  const auto fraction = [bytes](double ratio) { return bytes / triad_bytes / ratio; };
  result.unit = "GB/s";
  result.parameters["bytes_per_cell"] = bytes;
  result.parameters["bytes_per_triad_element"] = triad_bytes;
  result.ours = rate(bytes, result.ours);
  result.peer = rate(triad_bytes, result.peer);
  result.ratio = {fraction(result.ratio.median), fraction(result.ratio.upper_quartile),
                  fraction(result.ratio.lower_quartile)};
  return result;
}

void add_cases(int cells, const std::vector<bench::Race::Samples>& times, double difference,
               const bench::Setting& setting, bench::Results& results) {
  const nlohmann::ordered_json parameters{{"cells", {cells, cells, cells}},
                                          {"ranks", setting.world.size()},
                                          {"layout", setting.layout},
                                          {"steps_at_once", steps_at_once},
                                          {"largest_difference_from_peer", difference}};
  const std::string what = fmt::format("{}³, {}", cells, setting.layout);
  const auto compare = [&](const std::string& name, Contestant ours, Contestant theirs) {
    results.add(bench::Case::of_times(name + ", " + what, parameters, times[ours], times[theirs]));
  };
  compare("one step past the caches, by hand, as written", past_caches, by_hand);
  compare("one step past the caches, by hand, folded", past_caches, folded_by_hand);
  compare("one step past the caches, by hand, folded and past the caches", past_caches,
          streamed_by_hand);
  compare("one step past the caches, our rows", past_caches, rows);
  compare("our rows, by hand, folded", rows, folded_by_hand);
  compare("4 steps at once, our rows", fused, rows);
  compare("4 steps at once, one step past the caches", fused, past_caches);
  compare("4 steps at once, by hand, folded and past the caches", fused, streamed_by_hand);
  compare("a copy past the caches (16 bytes a cell), one step past the caches", copy, past_caches);
  const double points = static_cast<double>(cells) * cells * cells;
  results.add(fraction_of_triad("rows, of the triad (24 of 32 bytes), " + what, parameters, 24.0,
                                points, times[rows], times[triad]));
  results.add(fraction_of_triad("past the caches, of the triad (16 of 32), " + what, parameters,
                                16.0, points, times[past_caches], times[triad]));
  results.note(fmt::format(
      "{}: rows must move 24 bytes a cell (one value read, one overwritten, which is read first), "
      "past the caches 16; the triad 32.\n"
      "Single steps and 4 at once: the same bits. Largest difference from by hand: {:g}.",
      what, difference));
}

/// The heat solver as users write it; only the lines with `opponents` are not theirs.
void heat(cw::Run& run, int cells, const bench::Setting& setting, bench::Results& results) {
  cw::Grid<3> grid(run);
  Field u(grid, "temperature", {.fused = true});
  auto next = u.like();
  run.initialize(u);
  auto steps = run.steps(u).fused();
  steps.stable_below(1.0 / (2.0 * diffusivity * grid.inverse_spacing_squared()), "diffusion");
  Opponents opponents(u, steps.dt(), std::chrono::seconds(setting.options.quick ? 12 : 60));
  for (auto step : steps) {
    cw::fused(step, u, next, Heat{diffusivity * step.dt});
    if (!opponents.take_turns(step.count)) steps.stop("time is up");
  }
  const double difference = opponents.difference_from(u);
  if (!(difference < 1.0e-12))
    throw cartwright::rt::internal_failure(
        fmt::format("the solver and the hand-written step differ by {:g}", difference));
  if (const long long count = opponents.other_bits_than(u); count > 0)
    throw cartwright::rt::internal_failure(
        fmt::format("{} values have other bits step by step", count));
  add_cases(cells, opponents.finish(), difference, setting, results);
}

/// One step of fields of 2 to 128 MiB a rank, stored in both manners: from where on it pays to
/// store past the caches; and whether steps find out by themselves.
void both_manners(cw::Run& run, int cells, const bench::Setting& setting, bench::Results& results) {
  using cartwright::grid::NewValues;
  using cartwright::grid::RowManner;
  cw::Grid<3> grid(run);
  Field u(grid, "temperature");
  auto next = u.like();
  run.initialize(u);
  const std::ptrdiff_t ahead = cartwright::grid::elements_ahead(u.view().reading(), u.reach());
  // Several in a row, behind as many that aren't measured: the first ones find what others have
  // left in the caches, or haven't.
  constexpr int in_a_row = 8;
  const auto steps = [&](const RowManner& manner) {
    for (int number = 0; number < in_a_row; ++number) {
      cw::exchange(u).overlap(
          NewValues<double, 3, Heat>{u.view().reading(), next.view(), Heat{1.0e-6}, manner});
      swap(u, next);
    }
  };
  auto times = bench::race(grid.comm().communicator(),
                           {[&] {
                              steps({true, ahead});
                            },
                            [&] {
                              steps({false, 0});
                            },
                            [&] {
                              steps({false, ahead});
                            },
                            [&] {
                              steps({true, 0});
                            },
                            [&] {
                              steps({false, ahead, false});
                            }},
                           {.seconds = setting.options.quick ? 1.0 : 4.0, .unmeasured = 1});
  for (auto& samples : times)
    for (double& seconds : samples) seconds /= in_a_row;
  const double mebibytes = 8.0 * cells * cells * cells / 1048576.0 / setting.world.size();
  const nlohmann::ordered_json parameters{{"cells", {cells, cells, cells}},
                                          {"layout", setting.layout},
                                          {"mebibytes_of_a_rank", mebibytes}};
  const std::string what = fmt::format("{:.0f} MiB, {}", mebibytes, setting.layout);
  results.add(
      bench::Case::of_times("past the caches, as always, " + what, parameters, times[0], times[1]));
  results.add(bench::Case::of_times("as always and fetching, as always, " + what, parameters,
                                    times[2], times[1]));
  results.add(bench::Case::of_times("past the caches and not fetching, as always, " + what,
                                    parameters, times[3], times[1]));
  results.add(
      bench::Case::of_times("found by trial, as always, " + what, parameters, times[4], times[1]));
}

/// Two pairs of fields, which begin at two places of a page and at the same one: a load a multiple
/// of a page behind a store waits for it.
void places_in_a_page(cw::Run& run, int cells, const bench::Setting& setting,
                      bench::Results& results) {
  cw::Grid<3> grid(run);
  Field u(grid, "temperature");
  Field next = u.like(), same = u.like();
  Field same_next = [&same] {  // the seventh one behind a field begins where that one does
    std::vector<Field> between;
    for (int number = 1; number < 7; ++number) between.push_back(same.like());
    return same.like();
  }();
  run.initialize(u);
  run.initialize(same);
  const auto steps_past = [](Field& from, Field& to) {
    cw::fused(cw::Step{1, from.grid().time(), 1.0e-6}, from, to, Heat{1.0e-6});
  };
  const auto times = bench::race(
      grid.comm().communicator(),
      {[&] { step_by_rows(u, next, 1.0e-6); }, [&] { step_by_rows(same, same_next, 1.0e-6); },
       [&] { steps_past(u, next); }, [&] { steps_past(same, same_next); }},
      {setting.options.quick ? 1.0 : 4.0});
  const nlohmann::ordered_json parameters{{"cells", {cells, cells, cells}},
                                          {"layout", setting.layout}};
  const std::string what = fmt::format("{}³, {}", cells, setting.layout);
  results.add(bench::Case::of_times("two places of a page, the same place, " + what, parameters,
                                    times[0], times[1]));
  results.add(bench::Case::of_times("past the caches: two places, the same, " + what, parameters,
                                    times[2], times[3]));
}

/// The points of a rank in so many blocks of rows, each gone through plane by plane, against whole
/// planes.
void blocks_of_rows(cw::Run& run, int cells, const bench::Setting& setting,
                    bench::Results& results) {
  cw::Grid<3> grid(run);
  Field u(grid, "temperature");
  auto next = u.like();
  run.initialize(u);
  const cartwright::grid::Box<3> all = u.owned();
  const auto go_through = [&](int blocks) {
    auto in = u.view();
    auto out = next.view();
    for (int block = 0; block < blocks; ++block) {
      cartwright::grid::for_each_point(
          all.part(1, block, blocks),
          KOKKOS_LAMBDA(cw::Index<3> i) { out(i) = in(i) + 1.0e-6 * cw::laplacian(in, i); });
    }
  };
  const std::vector<int> counts{1, 2, 3, 5, 8, 12};
  std::vector<std::function<void()>> contestants;
  for (const int blocks : counts) contestants.push_back([&, blocks] { go_through(blocks); });
  const auto times =
      bench::race(grid.comm().communicator(), contestants, {setting.options.quick ? 1.0 : 6.0});
  const auto by_rule = [&all](bool in_own_cache) {
    return cartwright::grid::row_blocks<3>(
        all.upper, {sizeof(double), 1, cartwright::grid::room_for_planes(in_own_cache)});
  };
  for (std::size_t number = 1; number < counts.size(); ++number)
    results.add(bench::Case::of_times(fmt::format("{} blocks of rows, whole planes, {}³, {}",
                                                  counts[number], cells, setting.layout),
                                      {{"cells", {cells, cells, cells}},
                                       {"layout", setting.layout},
                                       {"blocks", counts[number]},
                                       {"blocks_for_any_cache", by_rule(false)},
                                       {"blocks_for_own_cache", by_rule(true)}},
                                      times[number], times[0]));
  results.note(fmt::format("{}³, {}: steps try {} for any cache and {} for a core's own.", cells,
                           setting.layout, by_rule(false), by_rule(true)));
}

template <class Body>
void run_heat(const bench::Setting& setting, int cells, const std::string& time, const Body& body) {
  const bench::ScratchDirectory scratch(setting.world);
  cartwright::grid::SolverEntry entry;
  entry.bind = [](cartwright::rt::SectionNode&) {};
  entry.name = "stencil";
  entry.about = "heat equation";
  entry.fields = {{"temperature", "K"}};
  entry.functions[2] = body;
  bench::run_deck(entry, fmt::format("grid: {{extent: [{0}, {0}, {0}], length: [1.0, 1.0, 1.0]}}\n"
                                     "time: {{{1}, finite_every: 0}}\n"
                                     "initial: {{temperature: \"x*(1-x)*y*(1-y)*z\"}}\n"
                                     "output: {{directory: {2}, every: 0, diagnostics: 0}}\n",
                                     cells, time, scratch.path()));
}

void measure(const bench::Setting& setting, bench::Results& results) {
  for (const int cells : {256, 512}) {
    if (setting.options.quick && cells > 256) continue;
    run_heat(setting, cells,
             fmt::format("steps: {}, fuse: {}", steps_at_once * (setting.options.quick ? 41 : 101),
                         steps_at_once),
             [&](cw::Run& run) { heat(run, cells, setting, results); });
  }
  for (const int cells : {256, 384, 512}) {
    if (setting.options.quick && cells > 256) continue;
    run_heat(setting, cells, "steps: 1",
             [&, cells](cw::Run& run) { blocks_of_rows(run, cells, setting, results); });
  }
  for (const int cells : {128, 256})
    run_heat(setting, cells, "steps: 1",
             [&, cells](cw::Run& run) { places_in_a_page(run, cells, setting, results); });
  for (const int cells : {64, 80, 104, 128, 160, 200, 256})
    run_heat(setting, cells, "steps: 1",
             [&, cells](cw::Run& run) { both_manners(run, cells, setting, results); });
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_benchmark(argc, argv, "stencil", measure);
}
