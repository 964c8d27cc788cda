// SPDX-License-Identifier: Apache-2.0
#include "dry_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cartwright/grid/output/plane_weights.hpp>
#include <cartwright/grid/run/run_request.hpp>
#include <cartwright/grid/run/sample.hpp>
#include <cartwright/grid/space/block.hpp>
#include <cartwright/mapping/machine/machine_file.hpp>
#include <cartwright/mapping/machine/virtual_topology.hpp>
#include <cartwright/mapping/predict/run_prediction.hpp>
#include <cartwright/mapping/search/process_grid.hpp>
#include <cartwright/rt/agreement.hpp>
#include <cartwright/rt/command_line.hpp>
#include <cartwright/rt/communicator.hpp>
#include <cartwright/rt/deck.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/output_file.hpp>
#include <cartwright/rt/report.hpp>
#include <cartwright/rt/sleeping_barrier.hpp>
#include <chrono>

#include "call_solver.hpp"
#include "cores_here.hpp"
#include "disk_plan.hpp"
#include "machine_here.hpp"
#include "prediction_text.hpp"
#include "run_profile.hpp"

namespace cartwright::grid {
namespace {

std::string joined(const auto& values) {
  return fmt::format("{}", fmt::join(values, " x "));
}

/// Cells of a rank that are quick to compute: blocks whose kernels have hardly begun when they end,
/// some that fit into caches, and some that don't.
constexpr std::array<double, 4> cells_to_measure{1 << 8, 1 << 12, 1 << 15, 1 << 18};
constexpr double most_cells_to_measure = 1 << 21;
constexpr double cells_to_check = 1 << 10;

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

/// As grids do when they are made, by the halos of the solver's fields.
void require_room_for_halos(const Plan& plan, const Sample& sample) {
  int halo = 0;
  for (const auto& storage : sample.storages) halo = std::max(halo, storage.halo);
  for (std::size_t axis = 0; axis < plan.smallest.size(); ++axis)
    if (plan.smallest[axis] < halo)
      throw rt::input_error(
          fmt::format("grid.extent: of {} ranks one has {} cells along {}, but a field has a halo "
                      "of {}",
                      plan.ranks, plan.smallest[axis], "xyz"[axis], halo),
          "Use fewer ranks, more cells, or another mapping.process_grid.", rt::Reach::all_ranks);
}

long long memory_a_rank(const Plan& plan, const Sample& sample) {
  double bytes = 0.0;
  for (const auto& storage : sample.storages) {
    double points = 1.0;
    for (const long long cells : plan.largest)
      points *= static_cast<double>(cells + 2LL * storage.halo);
    bytes += points * static_cast<double>(storage.bytes_per_point);
  }
  for (const auto& field : sample.fields)  // of particles, on all ranks
    bytes += static_cast<double>(field.bytes) / static_cast<double>(plan.ranks);
  return static_cast<long long>(bytes);
}

/// What a checkpoint holds: who writes a solver sees here what it may have forgotten.
std::string state_of(const Sample& sample) {
  std::vector<std::string> names;
  for (const auto& field : sample.fields) names.push_back(field.name);
  for (const SavedNumbers& each : sample.numbers) names.push_back(each.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

/// What this machine does while ranks compute.
struct NodeHere {
  plan::Concurrency memory;
  std::vector<double> core_speeds;
  SharedCores shared;
};

/// Collective. Measured by rank 0 while the others sleep, which a broadcast of MPI's doesn't.
NodeHere measured_node(const rt::Communicator& comm) {
  NodeHere node;
  if (comm.is_root()) node = {measured_memory(), measured_core_speeds(), measured_shared_cores()};
  rt::sleeping_barrier(comm, std::chrono::milliseconds(2));
  rt::share(comm, node.memory.bandwidth);
  rt::share(comm, node.core_speeds);
  node.shared = rt::shared(comm, node.shared);
  return node;
}

void say_plan(rt::Runtime& runtime, const RunRequest& request, const Plan& plan,
              const Sample& sample) {
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
  const bool has_particles = std::ranges::any_of(
      sample.fields, [](const Sample::FieldNote& field) { return field.bytes > 0; });
  log.entry("memory", fmt::format("{} a rank for fields{}, {} together", rt::readable_bytes(memory),
                                  has_particles ? " and particles" : "",
                                  rt::readable_bytes(memory * plan.ranks)));
  log.entry("disk", disk_of(request, sample).text());
  log.entry("a restart needs", state_of(sample));
}

/// Blocks of the run itself are measured, if that is quick, so that nothing is concluded from
/// others.
std::vector<double> cells_for(const Plan& plan) {
  std::vector<double> cells(cells_to_measure.begin(), cells_to_measure.end());
  const double own = mapping::cells_of(plan.largest);
  constexpr double clearly_more = 1.2;
  if (own > clearly_more * cells.back()) cells.push_back(std::min(own, most_cells_to_measure));
  return cells;
}

std::string where_measured(const rt::Communicator& comm, const mapping::StepProfile& profile) {
  return fmt::format("measured here on {:.3g} to {:.3g} cells a rank of {} thread{}{}",
                     profile.kernels.front().cells, profile.kernels.back().cells, profile.threads,
                     profile.threads == 1 ? "" : "s",
                     comm.size() > 1 ? fmt::format(", {} ranks at a time", comm.size()) : "");
}

/// Collective. Predicts, says so, and keeps what was measured where that is wanted.
void predict(rt::Runtime& runtime, const RunRequest& request, const Plan& plan,
             MeasuredLoop& measured) {
  mapping::StepProfile& profile = measured.profile;
  const std::string& file = runtime.command_line().profile;
  if (profile.kernels.empty()) {
    if (!file.empty() || !runtime.command_line().machine.empty())
      throw rt::input_error("the run has too few steps to measure one",
                            "Three steps or more are needed (time.steps).", rt::Reach::all_ranks);
    return;
  }
  const NodeHere node = measured_node(runtime.comm());
  profile.measured = where_measured(runtime.comm(), profile);
  const int ranks = runtime.comm().size();
  profile.together = ranks;
  profile.memory_bandwidth = node.memory.at(profile.threads * ranks) / ranks;
  profile.core_speeds = node.core_speeds;
  profile.turn_seconds = node.shared.wait_seconds;
  profile.beside_waiting = node.shared.beside_waiting;
  const std::string& name = runtime.command_line().machine;
  const plan::Machine here = machine_here(*measured.topology, node.memory);
  profile.machine = mapping::machine_text(here);
  const plan::Machine machine = name.empty() ? here : described_machine(name);
  mapping::PredictionRequest wanted{.ranks = plan.ranks, .process_grid = plan.process_grid};
  wanted.is_here = name.empty();
  if (!request.mapping.topology.empty())
    wanted.node_size = static_cast<int>(
        mapping::VirtualTopology::parse(request.mapping.topology).cores_per_node());
  wanted.remapped = request.mapping.strategy != "identity";
  wanted.transport = mapping::transport_of(name_of(request.comm.backend));
  say_prediction(runtime.log(), profile, machine, mapping::predict_run(profile, machine, wanted));
  if (file.empty()) return;
  if (runtime.comm().is_root()) rt::write_file(file, mapping::profile_text(profile));
  runtime.log().entry("profile", file);
}

}  // namespace

void plan_run(rt::Runtime& runtime, const RunRequest& request, const SolverEntry& solver) {
  const int given = runtime.command_line().planned_ranks;
  const Plan plan = make_plan(request, given > 0 ? given : runtime.comm().size(), solver);
  const std::vector<double> cells = cells_for(plan);
  MeasuredLoop measured = measure_loop(runtime, request, solver, cells, plan.smallest);
  if (!runtime.command_line().profile.empty())
    measure_steps_at_once(runtime, request, solver, cells, measured);
  require_room_for_halos(plan, measured.sample);
  say_plan(runtime, request, plan, measured.sample);
  predict(runtime, request, plan, measured);
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
