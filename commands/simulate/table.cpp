// SPDX-License-Identifier: Apache-2.0
#include "table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cartwright/plan/models/time_text.hpp>
#include <string>

namespace cartwright::command {

namespace {

std::string bytes_text(plan::Count bytes) {
  constexpr const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; value >= 1024 && unit + 1 < std::size(units); ++unit) value /= 1024;
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.1f} {}", value, units[unit]);
}

// Messages and bytes between units of a level.
std::string traffic_text(const plan::Simulation& simulation, std::size_t level) {
  const plan::Traffic& traffic = simulation.levels[level].all;
  return fmt::format("{} / {}", traffic.messages, bytes_text(traffic.bytes));
}

// Prose in lines of at most 100 characters, behind a first word.
void print_wrapped(const std::string& first, const std::string& prose) {
  constexpr std::size_t width = 100;
  std::string line = first;
  for (std::size_t begin = 0; begin < prose.size();) {
    const std::size_t end = std::min(prose.find(' ', begin), prose.size());
    if (line.size() + 1 + end - begin > width && end > begin) {
      fmt::print("{}\n", line);
      line = " ";
    }
    line += " " + prose.substr(begin, end - begin);
    begin = end + 1;
  }
  fmt::print("{}\n", line);
}

// Levels at which anything is sent.
std::vector<std::size_t> levels_used(const plan::Machine& machine,
                                     const std::vector<Compared>& all) {
  std::vector<std::size_t> used;
  for (std::size_t level = 0; level < machine.levels.size(); ++level)
    if (std::ranges::any_of(all, [&](const Compared& row) {
          return row.kind == plan::CostKind::simulated &&
                 row.simulation.levels[level].all.messages > 0;
        }))
      used.push_back(level);
  return used;
}

/// Algorithms that weren't compared, although --algorithm may name them. (Those with a tuning are
/// for nodes or arrivals, of which this comparison knows nothing.)
std::vector<std::string_view> left_out(const SimulateOptions& options) {
  std::vector<std::string_view> names;
  if (!options.algorithms.empty() || options.problem.ranks < 2) return names;
  for (const plan::Algorithm& algorithm : plan::algorithms(options.problem.operation)) {
    const bool may_combine = options.problem.commutative || algorithm.any_operator;
    if (algorithm.tuning.empty() && may_combine && !plan::may_solve(algorithm, options.problem))
      names.push_back(algorithm.name);
  }
  return names;
}

void print_head(const SimulateOptions& options, const plan::Machine& machine) {
  const plan::Problem& problem = options.problem;
  fmt::print("{} of {} on {} ranks\n", plan::name_of(problem.operation),
             bytes_text(problem.bytes()), problem.ranks);
  print_wrapped("machine " + machine.name + ":", machine.about);
  print_wrapped("numbers from:", machine.source);
  fmt::print("\n");
}

}  // namespace

void print_table(const SimulateOptions& options, const plan::Machine& machine,
                 const std::vector<Compared>& all) {
  print_head(options, machine);
  std::size_t width = 9;
  for (const Compared& row : all) width = std::max(width, row.choice.name().size());
  fmt::print("{:<{}}  {:>10}  {:>6}  {:>10}  {:>11}", "algorithm", width, "time", "ratio", "spread",
             "steps");
  const auto levels = levels_used(machine, all);
  for (const std::size_t level : levels)
    fmt::print("  {:>24}", "messages between " + machine.levels[level].name + "s");
  fmt::print("\n");
  const double best = static_cast<double>(std::max<plan::Picoseconds>(all.front().time, 1));
  bool any_formula = false;
  for (const Compared& row : all) {
    const bool formula = row.kind == plan::CostKind::formula;
    any_formula = any_formula || formula;
    fmt::print("{:<{}}  {:>10}  {:>6.2f}", row.choice.name(), width, plan::time_text(row.time),
               static_cast<double>(row.time) / best);
    if (formula) {
      fmt::print("  {:>10}  {:>11}\n", "formula", plan::steps_of(options.problem, row.choice));
      continue;
    }
    fmt::print("  {:>10}  {:>11}", plan::time_text(row.simulation.spread), row.simulation.steps);
    for (const std::size_t level : levels)
      fmt::print("  {:>24}", traffic_text(row.simulation, level));
    fmt::print("\n");
  }
  std::vector<plan::Candidate> candidates;
  candidates.reserve(all.size());
  for (const Compared& row : all) candidates.push_back({row.choice, row.time, row.kind});
  fmt::print("\n{}\n", plan::explain(options.problem, machine, candidates));
  fmt::print("spread: between the first and the last rank to finish. ");
  if (any_formula)
    fmt::print("formula: more than {:.0e} steps, costed from the busiest rank's rounds.",
               static_cast<double>(options.most_steps));
  fmt::print("\n");
}

void print_notes(const SimulateOptions& options, const plan::Machine& described) {
  const plan::Level& outermost = described.levels.front();
  const int each = described.ranks_in_unit(0);
  const int needed = (options.problem.ranks - 1) / each + 1;
  if (outermost.units > 0 && needed > outermost.units)
    fmt::print("note: '{}' has {} {}s; {} are imagined to be there\n", described.name,
               outermost.units, outermost.name, needed);
  if (outermost.units == 0 && needed > 1)
    fmt::print("note: {} {}s, as many as it takes: the description of '{}' sets no limit\n", needed,
               outermost.name, described.name);
  if (const auto names = left_out(options); !names.empty())
    fmt::print(
        "note: not compared, since not meant for so many ranks: {} (--algorithm {} shows it)\n",
        fmt::join(names, ", "), names.front());
}

}  // namespace cartwright::command
