// SPDX-License-Identifier: Apache-2.0
// Reductions whose ranks come at different times (Marendic 2016): ours, by forecasts and told
// beforehand, all algorithms, and MPI_Reduce. Delays are slept. layouts: 8x1
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/rt/error.hpp>
#include <cstdio>
#include <fstream>
#include <map>
#include <optional>

#include "arrivals/contestants.hpp"
#include "arrivals/measurement.hpp"
#include "arrivals/options.hpp"
#include "arrivals/patterns.hpp"
#include "arrivals/plot.hpp"
#include "arrivals/watching.hpp"
#include "common/machine.hpp"
#include "common/ranks_program.hpp"
#include "common/results.hpp"

namespace bench = cartwright::bench;
namespace rt = cartwright::rt;

namespace {

/// What the forecasting one is held to, in shares of what MPI_Reduce takes after the last arrival.
constexpr double most_with_a_late_rank = 0.25, most_together = 1.05;
/// And between nodes: what the late rank's link takes, and the best hierarchical algorithm.
constexpr double most_of_its_link = 1.1, most_by_nodes = 1.0;

/// One size: all patterns, one after the other.
class Table {
 public:
  Table(const rt::Communicator& world, const bench::ArrivalsSelection& selection, std::size_t bytes,
        bench::Results& results)
      : world_(&world), selection_(&selection), bytes_(bytes), results_(&results) {}

  void measure(bench::Reducers& reducers) {
    double spread = selection_->spread;
    for (const std::string& name : selection_->patterns) {
      for (const bench::Pattern& pattern : maker(spread).make(name)) add(reducers, pattern);
      if (spread == 0) spread = std::max(5e-3, 2 * together_.at("MPI_Reduce"));
    }
    if (!selection_->trace.empty()) add(reducers, maker(spread).from_file(selection_->trace));
  }
  [[nodiscard]] const std::vector<bench::PlotRow>& rows() const { return rows_; }

 private:
  [[nodiscard]] bench::PatternMaker maker(double spread) const {
    return {world_->size(), spread, selection_->seed, selection_->rounds};
  }

  void add(bench::Reducers& reducers, const bench::Pattern& pattern) {
    const std::size_t rounds = std::max(selection_->rounds, pattern.calls.size());
    const auto all = bench::measure_pattern(*world_, reducers, pattern, bytes_, rounds);
    const std::vector<double>& peer = all.front().after_last;
    bench::PlotRow row{pattern.name, {}};
    if (world_->is_root())
      fmt::print("\n{} B, {} ({:.1f} ms): {}\n", bytes_, pattern.name, 1e3 * pattern.imbalance(),
                 reducers.decision());
    for (const bench::Measured& one : all) {
      const bench::Summary time = bench::summarize(one.after_last);
      row.times.emplace_back(one.name, time);
      if (pattern.name == "none") together_[one.name] = time.median;
      const bench::Summary ratio = bench::summarize_ratios(one.after_last, peer);
      const double p =
          bench::permutation_p(one.after_last, peer, selection_->common.quick ? 2000 : 20000, 1);
      const std::optional<double> absorbed = absorption(one, time.median, pattern);
      if (world_->is_root())
        fmt::print("  {:<34}{:>10.3f} ms  ({:.3f}-{:.3f})  ratio {:>6.3f}  p {:<8.2g}{}{}\n",
                   one.name, 1e3 * time.median, 1e3 * time.lower_quartile,
                   1e3 * time.upper_quartile, ratio.median, p,
                   absorbed ? fmt::format("  absorbed {:>6.1f} %", 100 * *absorbed) : "",
                   verdict(one, ratio.median, pattern));
      std::fflush(stdout);
      nlohmann::ordered_json parameters{
          {"bytes", bytes_},        {"pattern", pattern.name}, {"imbalance", pattern.imbalance()},
          {"contestant", one.name}, {"ranks", world_->size()}, {"p", p}};
      if (absorbed) parameters["absorption"] = *absorbed;
      results_->add(
          bench::Case::of_times(fmt::format("{} B, {}: {}", bytes_, pattern.name, one.name),
                                parameters, one.after_last, peer));
    }
    rows_.push_back(std::move(row));
    compare_between_nodes(all, pattern);
  }

  /// Data that are late must still cross their link; and who knows of arrivals must not be behind
  /// who doesn't.
  void compare_between_nodes(const std::vector<bench::Measured>& all,
                             const bench::Pattern& pattern) {
    const auto median = [](const bench::Measured& one) {
      return bench::summarize(one.after_last).median;
    };
    const bench::Measured *ours = nullptr, *link = nullptr, *best = nullptr;
    for (const bench::Measured& one : all) {
      if (one.name == "forecast") ours = &one;
      if (one.is_bound) link = &one;
      if (one.is_by_nodes && (best == nullptr || median(one) < median(*best))) best = &one;
    }
    if (ours == nullptr || best == nullptr) return;
    hold(*ours, *best, pattern, "the best by nodes, " + best->name,
         pattern.name == "none" ? most_together : most_by_nodes);
    if (link != nullptr) hold(*ours, *link, pattern, "the late rank's link", most_of_its_link);
  }

  void hold(const bench::Measured& ours, const bench::Measured& peer, const bench::Pattern& pattern,
            const std::string& what, double limit) {
    const double ratio = bench::summarize_ratios(ours.after_last, peer.after_last).median;
    if (world_->is_root())
      fmt::print("  to {}: {:.3f}  {} {}\n", what, ratio, ratio <= limit ? "holds" : "MISSES",
                 limit);
    results_->add(bench::Case::of_times(
        fmt::format("{} B, {}: forecast to {}", bytes_, pattern.name, what),
        {{"bytes", bytes_}, {"pattern", pattern.name}, {"ranks", world_->size()}, {"limit", limit}},
        ours.after_last, peer.after_last));
  }

  /// Normalised: of the time when all come together (section 3 of the paper).
  [[nodiscard]] std::optional<double> absorption(const bench::Measured& one, double after_last,
                                                 const bench::Pattern& pattern) const {
    const auto together = together_.find(one.name);
    if (pattern.name == "none" || together == together_.end() || together->second <= 0)
      return std::nullopt;
    return (together->second - after_last) / together->second;
  }

  [[nodiscard]] static std::string verdict(const bench::Measured& one, double ratio,
                                           const bench::Pattern& pattern) {
    if (one.name != "forecast" || (pattern.late < 0 && pattern.name != "none")) return "";
    const double limit = pattern.late >= 0 ? most_with_a_late_rank : most_together;
    return fmt::format("  {} {}", ratio <= limit ? "holds" : "MISSES", limit);
  }

  const rt::Communicator* world_;
  const bench::ArrivalsSelection* selection_;
  std::size_t bytes_;
  bench::Results* results_;
  std::map<std::string, double> together_;
  std::vector<bench::PlotRow> rows_;
};

void draw(const bench::ArrivalsSelection& selection, std::size_t bytes,
          const std::vector<bench::PlotRow>& rows) {
  std::string file = selection.plot;
  if (selection.sizes.size() > 1) {
    const auto dot = file.rfind(".svg");
    file.insert(dot == std::string::npos ? file.size() : dot, fmt::format("_{}", bytes));
  }
  std::ofstream out(file);
  out << bench::arrivals_svg(fmt::format("Time after the last arrival: reduction of {} B", bytes),
                             rows);
  if (!out.flush())
    throw rt::input_error("--plot " + file + ": it can't be written", "Name another file.");
}

void measure(const rt::Communicator& world, const bench::ArrivalsSelection& selection) {
  bench::Results results("arrivals", fmt::format("{} ranks", world.size()));
  const bench::WatchingCost watching = bench::measure_watching(world);
  bench::Reducers reducers(world, selection.all_algorithms);
  if (world.is_root())
    fmt::print(
        "arrivals: reduce of integers at rank 0, {} ranks\n{}\n"
        "seconds after the last arrival: medians of {} turns, half of them, ratio to "
        "MPI_Reduce of pairs\n",
        world.size(), bench::machine_name(), selection.rounds);
  if (world.is_root())
    fmt::print("watching costs {:.1f} ns a call, of which two readings of the clock {:.1f} ns\n",
               1e9 * watching.of_call, 1e9 * watching.of_stamps);
  for (const std::size_t bytes : selection.sizes) {
    Table table(world, selection, bytes, results);
    table.measure(reducers);
    if (world.is_root() && !selection.plot.empty()) draw(selection, bytes, table.rows());
  }
  if (world.is_root()) results.write(selection.common);
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_on_ranks([&] {
    const bench::ArrivalsSelection selection = bench::parse_arrivals_options(argc, argv);
    return bench::RanksProgram{
        selection.common.help ? bench::arrivals_help() : "",
        [selection](const rt::Communicator& world) { measure(world, selection); }};
  });
}
