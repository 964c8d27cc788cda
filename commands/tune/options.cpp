// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/suggestion.hpp>
#include <cstdio>

#include "../options/parse.hpp"

namespace cartwright::command {

namespace {

constexpr auto about =
    R"(Measures the collectives of the MPI library, of p2p and of shared with every algorithm that may be quick, on the
ranks that it is started on, and stores the winners. The backend `auto` follows them from then on.)";

constexpr auto examples = R"(
Sizes are bytes of the vector (allreduce, reduce, broadcast, scan), or of each rank's block (gather, scatter,
allgather, alltoall, reduce_scatter). Without --output the winners go to $CARTWRIGHT_MACHINES, else
${XDG_CACHE_HOME:-~/.cache}/cartwright/machines, and there HOST-NODESxRANKS.tuned.json; what was measured there before
for other operations or numbers of ranks stays.

  ./cartwright tune -n 4                               everything: some minutes
  ./cartwright tune -n 4 --quick                       a first idea in less than a minute
  ./cartwright tune -n 8 allreduce --size 8 --size 1MiB --ranks-of 8 --ranks-of 2)";

std::string check_tuned_operation(const std::string& name) {
  if (plan::operation_named(name)) return {};
  std::vector<std::string> names;
  for (const plan::Operation operation : plan::operations())
    names.emplace_back(plan::name_of(operation));
  return fmt::format("there is no operation '{}'{}; there are: {}", name,
                     rt::did_you_mean(name, names), fmt::join(names, ", "));
}

}  // namespace

std::optional<TuneOptions> parse_tune_options(int argc, char** argv, bool speaks) {
  TuneOptions options;
  std::vector<std::string> operations;
  CLI::App app{about, "cartwright tune"};
  app.footer(examples);
  app.add_option("operation", operations, "which operations (default: all)")
      ->check(CLI::Validator(check_tuned_operation, "OPERATION"))
      ->option_text("OPERATION ...");
  app.add_option("--size", options.bytes, "bytes, also as 4KiB, 1MiB (default: 8 B to 16 MiB)")
      ->transform(CLI::AsSizeValue(false))
      ->allow_extra_args(false)
      ->option_text("BYTES");
  app.add_option("--ranks-of", options.ranks,
                 "ranks of a communicator (default: all, and divisors of that)")
      ->check(CLI::Range(2, 1 << 24))
      ->allow_extra_args(false)
      ->option_text("N");
  app.add_option("--output", options.output, "file to write")->option_text("FILE.json");
  app.add_option("--topology", options.topology, "imagine nodes: 'node:2 core:2'")
      ->option_text("LEVELS");
  app.add_flag("--quick", options.quick, "fewer sizes, less time for each");
  app.add_flag("--defaults", options.defaults,
               "measure nothing: print what counts where nothing was measured (a site's own goes "
               "into a file that CARTWRIGHT_TUNING names)");
  if (!parse_on_ranks(app, argc, argv, speaks, [&] {
        if (std::ranges::any_of(options.bytes, [](plan::Count bytes) { return bytes < 0; }))
          throw CLI::ValidationError("--size", "sizes are from 0 B on");
      }))
    return std::nullopt;
  for (const std::string& name : operations)
    options.operations.push_back(*plan::operation_named(name));
  std::ranges::sort(options.bytes);
  return options;
}

}  // namespace cartwright::command
