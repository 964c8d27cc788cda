// SPDX-License-Identifier: Apache-2.0
#include "dry_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cartwright/grid/output/picture_series.hpp>
#include <cartwright/grid/output/plane_weights.hpp>
#include <cartwright/grid/run/run_request.hpp>
#include <cartwright/grid/run/sample.hpp>
#include <cartwright/grid/space/block.hpp>
#include <cartwright/mapping/machine/virtual_topology.hpp>
#include <cartwright/mapping/search/process_grid.hpp>
#include <cartwright/rt/command_line.hpp>
#include <cartwright/rt/communicator.hpp>
#include <cartwright/rt/deck.hpp>
#include <cartwright/rt/progress_line.hpp>
#include <cartwright/rt/report.hpp>
#include <cmath>

#include "call_solver.hpp"

namespace cartwright::grid {
namespace {

std::string joined(const auto& values) {
  return fmt::format("{}", fmt::join(values, " x "));
}

double product(const std::vector<long long>& values) {
  double result = 1.0;
  for (const long long value : values) result *= static_cast<double>(value);
  return result;
}

/// Cells of a rank that are quick to compute, but don't fit into the caches of a core where the run
/// doesn't.
constexpr double cells_to_measure = 1 << 18;
constexpr double cells_to_check = 1 << 10;

/// The same problem with fewer cells. Which ranks compute them, and how they talk, suits the whole
/// one only.
RunRequest sample_request(const RunRequest& request, double cells_wanted) {
  RunRequest sample = request;
  auto& grid = sample.options.grid;
  const double shrink = std::min(
      1.0, std::pow(cells_wanted / product(grid.extent), 1.0 / sample.options.dimensions()));
  for (std::size_t axis = 0; axis < grid.extent.size(); ++axis) {
    const auto cells = std::max(std::min(8LL, grid.extent[axis]),
                                std::llround(shrink * static_cast<double>(grid.extent[axis])));
    grid.length[axis] *= static_cast<double>(cells) / static_cast<double>(grid.extent[axis]);
    grid.extent[axis] = cells;
  }
  grid.edges = {};
  grid.weights = {};
  sample.mapping = {};
  sample.comm = {};
  return sample;
}

struct Plan {
  int ranks = 1;
  std::vector<int> process_grid;
  std::vector<long long> smallest, largest;  // cells of a rank along each axis
};

/// Planes by weight, or an even share of them.
Cuts cuts_of(const GridOptions& grid, const SolverEntry& solver,
             const std::vector<int>& process_grid) {
  const GridDescription described = description_of(grid);
  const PlaneWeights weights =
      estimated_plane_weights(described, grid.weights, formula_constants(solver, grid));
  return weights.empty() ? even_cuts(described, process_grid)
                         : weighted_cuts(weights, process_grid, grid.weights.least);
}

Plan make_plan(const RunRequest& request, int ranks, const SolverEntry& solver) {
  const auto& grid = request.options.grid;
  Plan plan;
  plan.ranks = ranks;
  mapping::ProcessGridRequest wanted{.ranks = ranks,
                                     .extents = grid.extent,
                                     .periodic = grid.periodic,
                                     .fixed = request.mapping.process_grid};
  // Of real nodes nothing is known before the run; imagined ones are in the deck.
  if (!request.mapping.topology.empty()) {
    const auto imagined = mapping::VirtualTopology::parse(request.mapping.topology);
    imagined.require_room(ranks);
    wanted.node_size = static_cast<int>(imagined.cores_per_node());
  }
  plan.process_grid = mapping::choose_process_grid(wanted);
  for (const std::vector<long long>& cuts : cuts_of(grid, solver, plan.process_grid)) {
    plan.largest.push_back(0);
    plan.smallest.push_back(cuts.back());
    for (std::size_t part = 0; part + 1 < cuts.size(); ++part) {
      plan.largest.back() = std::max(plan.largest.back(), cuts[part + 1] - cuts[part]);
      plan.smallest.back() = std::min(plan.smallest.back(), cuts[part + 1] - cuts[part]);
    }
  }
  return plan;
}

long long memory_a_rank(const Plan& plan, const Sample& sample) {
  double bytes = 0.0;
  for (const auto& storage : sample.storages) {
    double points = 1.0;
    for (const long long cells : plan.largest)
      points *= static_cast<double>(cells + 2LL * storage.halo);
    bytes += points * static_cast<double>(storage.bytes_per_point);
  }
  return static_cast<long long>(bytes);
}

constexpr long long usual_picture_bytes = 50'000;  // 10 to 130 thousand, for smooth fields

struct Disk {
  long long outputs = 0, bytes_an_output = 0;
  long long checkpoints = 0, bytes_a_checkpoint = 0;
  long long pictures = 0, bytes_a_picture = 0, bytes_a_slice = 0;

  [[nodiscard]] long long bytes() const {
    return outputs * bytes_an_output + checkpoints * bytes_a_checkpoint +
           pictures * (bytes_a_picture + bytes_a_slice);
  }
  [[nodiscard]] std::string text() const {
    std::string parts = fmt::format("{} outputs of {}, {} checkpoints of {}", outputs,
                                    rt::readable_bytes(bytes_an_output), checkpoints,
                                    rt::readable_bytes(bytes_a_checkpoint));
    if (pictures > 0)
      parts +=
          fmt::format(", {} pictures of about {}", pictures, rt::readable_bytes(bytes_a_picture));
    if (pictures > 0 && bytes_a_slice > 0)
      parts += fmt::format(" and, until the run is complete, {} each to draw them anew",
                           rt::readable_bytes(bytes_a_slice));
    return fmt::format("{} ({})", rt::readable_bytes(bytes()), parts);
  }
};

Disk disk_of(const RunRequest& request, const Sample& sample) {
  const RunOptions& options = request.options;
  const double cells = product(options.grid.extent);
  double shown = cells * static_cast<double>(sample.output_only_bytes), state = 0.0;
  for (const auto& field : sample.fields) {
    state += cells * static_cast<double>(field.bytes_per_point) + static_cast<double>(field.bytes);
    shown += cells * static_cast<double>(field.output_bytes_per_point) +
             static_cast<double>(field.output_bytes);
  }
  if (options.output.precision == "float32") shown /= 2;
  for (const SavedNumbers& each : sample.numbers) state += static_cast<double>(each.bytes.size());
  const auto& output = options.output;
  const long long every = output.every.value_or(output.interval ? 0 : sample.last_step);
  const double end = sample.time_step * static_cast<double>(sample.last_step);
  const auto count = [&](long long interval, std::optional<double> time = std::nullopt) {
    const long long timed =
        time ? static_cast<long long>(std::min(1e15, std::ceil(end / *time))) : 0;
    return timed + (interval > 0
                        ? sample.last_step / interval + (sample.last_step % interval != 0 ? 1 : 0)
                        : 0);
  };
  Disk disk;
  disk.outputs = every > 0 || output.interval ? count(every, output.interval) + 1 : 0;
  disk.bytes_an_output = static_cast<long long>(shown);
  disk.checkpoints = std::min<long long>(options.checkpoint.keep, count(options.checkpoint.every));
  disk.bytes_a_checkpoint = static_cast<long long>(state);
  if (output.pictures.every > 0 || output.pictures.interval) {
    disk.pictures = (count(output.pictures.every, output.pictures.interval) + 1) *
                    static_cast<long long>(sample.pictures);
    disk.bytes_a_picture = usual_picture_bytes;
    if (!options.output.pictures.range)
      disk.bytes_a_slice = PictureSeries::slice_bytes(description_of(options.grid));
  }
  return disk;
}

/// What a checkpoint holds: who writes a solver sees here what it may have forgotten.
std::string state_of(const Sample& sample) {
  std::vector<std::string> names;
  for (const auto& field : sample.fields) names.push_back(field.name);
  for (const SavedNumbers& each : sample.numbers) names.push_back(each.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

void say_plan(rt::Runtime& runtime, const RunRequest& request, const Plan& plan,
              const Sample& sample, double sample_cells) {
  rt::Log& log = runtime.log();
  const auto& grid = request.options.grid;
  log.heading(fmt::format("plan for {} rank{} (nothing is written)", plan.ranks,
                          plan.ranks == 1 ? "" : "s"));
  log.entry("grid", joined(grid.extent) + " cells");
  log.entry("process grid", joined(plan.process_grid));
  log.entry("cells of a rank", plan.smallest == plan.largest
                                   ? joined(plan.largest)
                                   : joined(plan.smallest) + " to " + joined(plan.largest));
  log.entry(sample.course.first, sample.course.second);
  const long long memory = memory_a_rank(plan, sample);
  log.entry("memory", fmt::format("{} a rank for fields, {} together", rt::readable_bytes(memory),
                                  rt::readable_bytes(memory * plan.ranks)));
  log.entry("disk", disk_of(request, sample).text());
  log.entry("a restart needs", state_of(sample));
  if (sample.seconds_per_step <= 0.0) return;
  const double rate_a_rank = sample_cells / sample.seconds_per_step / runtime.comm().size();
  const double seconds =
      product(grid.extent) / plan.ranks / rate_a_rank * static_cast<double>(sample.last_step);
  log.entry("time",
            fmt::format("about {}, an estimate: {} cells/s a rank, measured here on a small grid;\n"
                        "output, checkpoints and longer ways between ranks are not in it",
                        rt::ProgressLine::duration_text(seconds),
                        rt::ProgressLine::rate_text(rate_a_rank)));
}

}  // namespace

void plan_run(rt::Runtime& runtime, const RunRequest& request, const SolverEntry& solver) {
  const int given = runtime.command_line().planned_ranks;
  const Plan plan = make_plan(request, given > 0 ? given : runtime.comm().size(), solver);
  const RunRequest small = sample_request(request, cells_to_measure * runtime.comm().size());
  Sample sample;
  Run run(runtime, small, solver, &sample);
  call_solver(solver, run);
  say_plan(runtime, request, plan, sample, product(small.options.grid.extent));
}

void check_run(rt::Runtime& runtime, const RunRequest& request, const SolverEntry& solver) {
  const RunRequest small = sample_request(request, cells_to_check * runtime.comm().size());
  Sample sample;
  sample.only_checks = true;
  Run run(runtime, small, solver, &sample);
  const GridOptions& grid = request.options.grid;
  (void)estimated_plane_weights(description_of(grid), grid.weights,
                                formula_constants(solver, grid));
  call_solver(solver, run);
}

}  // namespace cartwright::grid
