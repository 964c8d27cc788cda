// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <CLI/CLI.hpp>
#include <cstdlib>

#include "../options/parse.hpp"

namespace cartwright::command {

namespace {

constexpr auto about =
    R"(Shows which node of a machine holds which part of a process grid, and what that costs.

Neighbours on the grid exchange halos; every pair of them on two nodes is an off-node face. The ranks fill
the nodes in order ("before"); Cartwright deals the grid out anew so that fewer faces lead off the nodes.
On a modelled machine, halo exchanges and broadcasts along the axes are predicted, too.)";

constexpr auto examples = R"(
Axis x comes first and is the fastest: 24x16 has rank 1 beside rank 0 along x, and rank 24 above it.

  cartwright map --dims 24x24 --machine jaguar -n 576
  cartwright map --dims 12x12x12 --machine jaguar --compare --picture grid.svg
  cartwright map --dims 8x6 --nodes 5x8,2x4 --periodic x       five nodes of 8 ranks and two of 4
  cartwright map --extents 4096x1024 -n 96 --nodes 8 --ranks-per-node 12)";

void add_grid(CLI::App& app, MapOptions& options) {
  app.add_option("--dims", options.dims, "the process grid, as 24x24 or 8x8x4")
      ->option_text("PxQxR");
  app.add_option("--extents", options.extents,
                 "cells of the grid: the best process grid for -n ranks is chosen")
      ->option_text("NXxNYxNZ");
  app.add_option("-n,--ranks", options.ranks, "how many ranks (default: as many as --dims hold)")
      ->check(CLI::PositiveNumber)
      ->option_text("N");
  app.add_option("--periodic", options.periodic, "axes that are rings: x, xy, all")
      ->option_text("AXES");
}

void add_machine(CLI::App& app, MapOptions& options) {
  app.add_option("--machine", options.machine,
                 "name or file of a machine ('cartwright simulate --list' lists them)")
      ->option_text("NAME");
  app.add_option(
         "--nodes", options.nodes,
         "how many nodes, or their sizes, as 5x8,2x4 (default: those of a Slurm allocation)")
      ->option_text("NODES");
  app.add_option("--ranks-per-node", options.ranks_per_node,
                 "default: all cores of the machine's nodes")
      ->check(CLI::PositiveNumber)
      ->option_text("K");
}

void add_costs(CLI::App& app, MapOptions& options) {
  app.add_option("--weights", options.weights,
                 "cost of a face across each axis, as 1,4 (default: the bytes of --face)")
      ->delimiter(',')
      ->option_text("W,W,W");
  app.add_option("--face", options.face_bytes,
                 "bytes of a halo message: one for all axes or one for each (default: 8KiB)")
      ->delimiter(',')
      ->transform(CLI::AsSizeValue(false))
      ->option_text("BYTES,...");
  app.add_option("--line", options.line_bytes,
                 "bytes of a broadcast along each line of the grid (default: 1MiB)")
      ->transform(CLI::AsSizeValue(false))
      ->check(CLI::PositiveNumber)
      ->option_text("BYTES");
  app.add_option("--effort", options.effort, "how long to search: 0 not at all, 1 below a second")
      ->check(CLI::Range(0.0, 1000.0))
      ->option_text("E");
}

void add_output(CLI::App& app, MapOptions& options) {
  app.add_flag("--compare", options.compare, "every strategy, side by side");
  app.add_flag("--simulate", options.simulate,
               "simulate the broadcasts message by message, beside what is predicted");
  app.add_option("--picture", options.picture, "draw the grid, coloured by node")
      ->option_text("FILE.svg");
  app.add_flag("--no-picture", options.no_picture, "leave out the picture in letters");
  app.add_option("--json", options.json, "all of it for programs; '-' is standard output")
      ->option_text("FILE");
}

}  // namespace

const char* slurm_tasks() {
  return std::getenv("SLURM_TASKS_PER_NODE");
}

std::optional<MapOptions> parse_map_options(int argc, char** argv, int& exit_code) {
  MapOptions options;
  CLI::App app{about, "cartwright map"};
  app.footer(examples);
  add_grid(app, options);
  add_machine(app, options);
  add_costs(app, options);
  add_output(app, options);
  if (const auto ends = parse(app, argc, argv, [&] {
        if (options.dims.empty() == options.extents.empty())
          throw CLI::RequiredError(
              "either --dims (the process grid) or --extents (cells, with -n)");
        if (options.machine.empty() && options.nodes.empty() && options.ranks_per_node == 0 &&
            slurm_tasks() == nullptr)
          throw CLI::RequiredError(
              "--machine NAME (a modelled machine) or --nodes and --ranks-per-node (yours)");
      })) {
    exit_code = *ends;
    return std::nullopt;
  }
  return options;
}

}  // namespace cartwright::command
