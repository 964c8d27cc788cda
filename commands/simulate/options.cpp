// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cartwright/rt/suggestion.hpp>
#include <map>

#include "../options/parse.hpp"

namespace cartwright::command {

namespace {

constexpr auto about =
    R"(Runs the schedules of collective algorithms on a modelled machine, and compares them.

All ranks are simulated, message by message, on one core. Algorithms of more than --limit steps are
costed by formula from the work of their busiest rank, and marked.)";

constexpr auto examples = R"(
Sizes are bytes of the vector (allreduce, reduce, broadcast, scan), or of each rank's block (gather, scatter,
allgather, alltoall, reduce_scatter).

  cartwright simulate allreduce --ranks 65536 --size 8 --machine archer
  cartwright simulate broadcast --ranks 96 --size 64KiB --machine jaguar --all
  cartwright simulate allreduce --ranks 7 --size 8 --machine fennel --algorithm 'recursive_multiplying(m1g2a3,n1g3a2)' \
      --timeline merge.svg
  cartwright simulate --list --machine archer        machines and algorithms)";

// An empty text where the name is one, else what to say: for CLI11.
std::string check_operation(const std::string& name) {
  if (plan::operation_named(name)) return {};
  std::vector<std::string> names;
  for (const plan::Operation operation : plan::operations())
    names.emplace_back(plan::name_of(operation));
  return fmt::format("there is no operation '{}'{}; there are: {}", name,
                     rt::did_you_mean(name, names), fmt::join(names, ", "));
}

// A vector of doubles where the size allows it, else of bytes.
void set_size(plan::Problem& problem, long long bytes) {
  problem.element_size = bytes % 8 == 0 ? 8 : 1;
  problem.elements = bytes / problem.element_size;
}

}  // namespace

std::optional<SimulateOptions> parse_simulate_options(int argc, char** argv, int& exit_code) {
  SimulateOptions options;
  CLI::App app{about, "cartwright simulate"};
  app.footer(examples);
  long long bytes = 8;
  bool non_commutative = false;
  std::string operation_name;
  auto* operation = app.add_option("operation", operation_name, "which collective operation")
                        ->check(CLI::Validator(check_operation, "OPERATION"))
                        ->option_text("OPERATION");
  auto* ranks = app.add_option("-n,--ranks", options.problem.ranks, "how many ranks")
                    ->check(CLI::Range(1, 1 << 24))
                    ->option_text("N");
  app.add_option("--size", bytes, "bytes, also as 4KiB, 1MiB (default: 8)")
      ->transform(CLI::AsSizeValue(false))
      ->option_text("BYTES");
  app.add_option("--machine", options.machine, "name or file of a machine (default: archer)")
      ->option_text("NAME");
  app.add_option("--root", options.problem.root.rank, "of a rooted operation")
      ->check(CLI::NonNegativeNumber)
      ->option_text("RANK");
  app.add_option("--algorithm", options.algorithms, "only these: 'ring', 'n_way_binomial(3)'")
      ->option_text("NAME ...");
  app.add_flag("--non-commutative", non_commutative,
               "only algorithms that keep the order of operands");
  app.add_flag("--all", options.all_tunings,
               "show every tuning, not only the best of each algorithm");
  app.add_option("--limit", options.most_steps, "simulate up to so many steps (default: 1e8)")
      ->option_text("STEPS");
  app.add_option("--arrivals", options.arrivals,
                 "when ranks come: together, ascending, one_late, random")
      ->check(CLI::IsMember({"together", "ascending", "one_late", "random"}))
      ->option_text("HOW");
  app.add_option("--latest", options.latest, "the latest arrival, as 20us (default: 0)")
      ->transform(CLI::AsNumberWithUnit(
          std::map<std::string, double>{{"s", 1.0}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}}))
      ->option_text("TIME");
  app.add_option("--noise", options.noise, "mean extra time of a message, exponential, as 100ns")
      ->transform(CLI::AsNumberWithUnit(
          std::map<std::string, double>{{"s", 1.0}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}}))
      ->option_text("TIME");
  app.add_option("--seed", options.seed, "of arrivals and noise")->option_text("NUMBER");
  app.add_option("--timeline", options.timeline, "draw the best (or only) algorithm")
      ->option_text("FILE.svg");
  app.add_option("--trace", options.trace, "its timeline for ui.perfetto.dev")
      ->option_text("FILE.json");
  app.add_option("--json", options.json, "the table for programs")->option_text("FILE");
  app.add_option("--show", options.show_rank, "print the schedule of a rank")->option_text("RANK");
  app.add_flag("--list", options.list, "list machines and algorithms");
  if (const auto ends = parse(app, argc, argv, [&] {
        if (!options.list && (operation->empty() || ranks->empty()))
          throw CLI::RequiredError("an operation and --ranks");
        if (bytes < 0 || bytes > (1LL << 50))
          throw CLI::ValidationError("--size", "sizes are from 0 B to 1 PiB");
        if (options.problem.root.rank >= options.problem.ranks)
          throw CLI::ValidationError("--root", "there is no such rank");
      })) {
    exit_code = *ends;
    return std::nullopt;
  }
  if (!options.list) options.problem.operation = *plan::operation_named(operation_name);
  set_size(options.problem, bytes);
  options.problem.commutative = !non_commutative;
  return options;
}

}  // namespace cartwright::command
