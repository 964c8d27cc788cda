// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <CLI/CLI.hpp>
#include <cartwright/rt/duration.hpp>
#include <cartwright/rt/error.hpp>
#include <map>

#include "../options/parse.hpp"

namespace cartwright::command {

namespace {

constexpr auto about =
    R"(Measures this machine: latency and bandwidth of every level, how many messages it moves at the same time,
overheads and gaps, and which ranks are near each other. Writes a machine file for simulate and later runs, with all
samples and a picture of every fit beside it. Start it on the ranks that later runs will have.)";

constexpr auto examples = R"(
Without --output the file is $CARTWRIGHT_MACHINES, else ${XDG_CACHE_HOME:-~/.cache}/cartwright/machines, and there
HOST-NODESxRANKS.yaml. What was probed before is not probed again.

  ./cartwright probe                                  on all cores
  ./cartwright probe --quick --output here.yaml       half a minute at most, on small nodes
  ./cartwright probe -n 4 --topology 'node:2 core:2'  imagined nodes: to try things out)";

std::string check_seconds(const std::string& text) {
  const auto duration = rt::parse_duration(text);
  if (duration && duration->count() >= 1.0) return {};
  return "'" + text + "' is not a time of at least a second, such as 90s or 5m";
}

}  // namespace

std::optional<ProbeOptions> parse_probe_options(int argc, char** argv, bool speaks) {
  ProbeOptions options;
  std::string patience;
  CLI::App app{about, "cartwright probe"};
  app.footer(examples);
  app.add_option("--output", options.output, "machine file to write")->option_text("FILE.yaml");
  app.add_flag("--quick", options.quick, "fewer sizes and repetitions");
  app.add_flag("--force", options.force, "measure again what is known already");
  app.add_option("--topology", options.topology, "imagine nodes: 'node:2 core:2'")
      ->option_text("LEVELS");
  app.add_option("--analyse", options.analyse, "fit these samples again instead of measuring")
      ->check(CLI::ExistingFile)
      ->option_text("FILE.jsonl");
  app.add_option("--model", options.model,
                 "describe the machine with hockney, loggp or pipelined (default: what fits)")
      ->transform(CLI::CheckedTransformer(std::map<std::string, mapping::ProbeModel>{
          {"auto", mapping::ProbeModel::automatic},
          {"hockney", mapping::ProbeModel::hockney},
          {"loggp", mapping::ProbeModel::loggp},
          {"pipelined", mapping::ProbeModel::pipelined}}))
      ->option_text("MODEL");
  app.add_option("--patience", patience, "longest time of one measurement (default: 60s)")
      ->check(CLI::Validator(check_seconds, "TIME"))
      ->option_text("TIME");
  app.add_flag("-v,--verbose", options.verbose, "say what was fitted, and every refusal");
  if (!parse_on_ranks(app, argc, argv, speaks, [] {})) return std::nullopt;
  if (!patience.empty()) options.patience = rt::parse_duration(patience)->count();
  return options;
}

}  // namespace cartwright::command
