// SPDX-License-Identifier: Apache-2.0
// Collectives through Cartwright's backends against the MPI library's own functions, on the same
// communicator: nine operations, from 8 bytes to 16 MiB, and the limits that they are held to.
// layouts: 2x1 3x1 4x1 8x1
#include <fmt/format.h>

#include <cartwright/comm/collectives.hpp>
#include <cartwright/plan/selection/catalogue.hpp>
#include <cstdio>
#include <memory>
#include <thread>

#include "collectives/cell.hpp"
#include "collectives/options.hpp"
#include "common/machine.hpp"
#include "common/ranks_program.hpp"
#include "common/results.hpp"

namespace bench = cartwright::bench;
namespace comm = cartwright::comm;
namespace plan = cartwright::plan;
namespace rt = cartwright::rt;

namespace {

/// The contestants, and what they live on.
class Field {
 public:
  Field(const rt::Communicator& world, const bench::CollectivesSelection& selection)
      : selection_(&selection) {
    engine_.set_oversubscribed(world.size() >
                               static_cast<int>(std::thread::hardware_concurrency()));
    collectives_ = std::make_unique<comm::Collectives>(world, engine_, comm::BackendId::automatic);
    for (const std::string& name : selection.backends)
      contestants_.push_back(
          {name, backend(name), [this, name](const comm::Call& call) { return way(name, call); }});
  }
  [[nodiscard]] const std::vector<bench::Contestant>& contestants() const { return contestants_; }

 private:
  comm::Backend* backend(const std::string& name) {
    const comm::Backends& backends = collectives_->backends();
    if (name == "auto") return &backends.chosen();
    if (name == "watched") return watched();
    const comm::BackendId id = comm::backend_named(name).value();
    if (name == "native" || selection_->algorithms.empty()) return &backends.find(id);
    told_.push_back(backends.running(
        id, [this, id](const plan::Problem& problem) { return choice(id, problem); }));
    return told_.back().get();
  }

  /// As --algorithms says, or else as the selection decides for the backend.
  [[nodiscard]] plan::Choice choice(comm::BackendId id, const plan::Problem& problem) const {
    const auto wanted = selection_->algorithms.find(problem.operation);
    if (wanted == selection_->algorithms.end())
      return collectives_->backends().selection().decide_for(id, problem).choice;
    return plan::parse_choice(problem.operation, wanted->second);
  }

  /// How a contestant carries out a call.
  [[nodiscard]] std::string way(const std::string& name, const comm::Call& call) const {
    if (name == "native") return {};
    const int ranks = collectives_->communicator().size();
    const comm::CallKey key = comm::CallKey::of(call, ranks);
    if (name == "auto" || name == "watched")
      return collectives_->backends().selection().decide(key).name();
    return choice(comm::backend_named(name).value(), key.problem(ranks)).name();
  }

  /// The same as auto, and somebody notes when ranks come.
  comm::Backend* watched() {
    const rt::Communicator& world = collectives_->communicator();
    comm::Context context = collectives_->context();
    context.settings.arrivals = comm::ArrivalUse::watch;
    if (context.memory != nullptr)
      context.memory = std::make_shared<comm::NodeMemory>(
          world, cartwright::mapping::discover(world),
          context.settings.memory_options({world.size()}, *context.knowledge));
    watched_ = std::make_unique<comm::Collectives>(world, engine_, context);
    return &watched_->backend();
  }

  const bench::CollectivesSelection* selection_;
  rt::ProgressEngine engine_;
  std::unique_ptr<comm::Collectives> collectives_;
  std::unique_ptr<comm::Collectives> watched_;
  std::vector<std::unique_ptr<comm::Backend>> told_;
  std::vector<bench::Contestant> contestants_;
};

std::string shown(double seconds) {
  return seconds < 1.0e-3 ? fmt::format("{:.2f} µs", seconds * 1e6)
                          : fmt::format("{:.2f} ms", seconds * 1e3);
}

std::string verdict(const bench::Row& row) {
  if (!row.limit) return "-";
  if (row.is_miss()) return fmt::format("MISS ({} of {})", row.exceeded, row.measurements);
  return row.exceeded == 0 ? "holds"
                           : fmt::format("holds ({} of {} not)", row.exceeded, row.measurements);
}

void print(const bench::Cell& cell) {
  for (const bench::Row& row : cell.rows)
    fmt::print(
        "{:<15}{:>9}  {:<7}{:>11} {:>11}  {:>6.3f}  {:>6.3f}–{:<6.3f} {:>6.1f} %  {:>7}  {:<22}  "
        "{}\n",
        plan::name_of(cell.operation), cell.bytes, row.backend,
        shown(bench::summarize(row.ours).median), shown(bench::summarize(row.peer).median),
        row.ratio.median, row.ratio.lower_quartile, row.ratio.upper_quartile, 100 * cell.spread,
        row.limit ? row.limit->text() : "", verdict(row), row.way);
  std::fflush(stdout);
}

void add(const bench::Cell& cell, const std::string& layout, bench::Results& results) {
  for (const bench::Row& row : cell.rows) {
    nlohmann::ordered_json parameters{{"operation", plan::name_of(cell.operation)},
                                      {"bytes", cell.bytes},
                                      {"backend", row.backend},
                                      {"way", row.way},
                                      {"layout", layout},
                                      {"peer_spread", cell.spread},
                                      {"limit", row.limit ? row.limit->text() : ""},
                                      {"verdict", verdict(row)}};
    results.add(bench::Case::of_times(
        fmt::format("{} {} {}, {}", plan::name_of(cell.operation), cell.bytes, row.backend, layout),
        parameters, row.ours, row.peer));
  }
}

void measure(const rt::Communicator& world, const bench::CollectivesSelection& selection) {
  const std::string layout = fmt::format("{} ranks", world.size());
  bench::Results results("collectives", layout);
  const Field field(world, selection);
  int misses = 0;
  if (world.is_root())
    fmt::print(
        "collectives: {}\n{}\n\n{:<15}{:>9}  {:<7}{:>11} {:>11}  {:>6}  {:>13} {:>8}  {:>7}  "
        "{:<22}  {}\n",
        layout, bench::machine_name(), "operation", "bytes", "backend", "ours", "peer", "ratio",
        "half of them", "spread", "limit", "verdict", "way");
  for (const plan::Operation operation : selection.operations) {
    for (const std::size_t bytes : selection.sizes) {
      const bench::Cell cell =
          bench::measure_cell(world, operation, bytes, field.contestants(), selection);
      for (const bench::Row& row : cell.rows) misses += row.limit && row.is_miss() ? 1 : 0;
      add(cell, layout, results);
      if (world.is_root()) print(cell);
      if (operation == plan::Operation::barrier) break;  // it has no size
    }
  }
  if (!world.is_root()) return;
  fmt::print("\n{} cells exceed their limit beyond the spread of the peer against itself{}.\n",
             misses,
             selection.repeats > 1 ? fmt::format(" in {} measurements", selection.repeats)
                                   : " (measured once)");
  results.write(selection.common);
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_on_ranks([&] {
    const bench::CollectivesSelection selection = bench::parse_collectives_options(argc, argv);
    if (!selection.common.help && selection.same) bench::ask_peer_for_the_same(selection);
    return bench::RanksProgram{
        selection.common.help ? bench::collectives_help() : "",
        [selection](const rt::Communicator& world) { measure(world, selection); }};
  });
}
