// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/mapping/predict/node_channels.hpp>
#include <cartwright/mapping/predict/run_prediction.hpp>
#include <cartwright/mapping/search/process_grid.hpp>
#include <cartwright/rt/error.hpp>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "halo_cost.hpp"
#include "kernel_cost.hpp"
#include "pair_cost.hpp"
#include "reduction_cost.hpp"

namespace cartwright::mapping {

namespace {

double& part(PredictedRun& run, RunPart which) {
  return run.seconds[static_cast<std::size_t>(which)];
}

/// Ranks of a node whose threads all have a core.
int places_of_node(const StepProfile& profile, const plan::Machine& machine) {
  return std::max(1, cores_of_node(machine) / profile.threads);
}

/// How often a step waits for other ranks, the question whether to stop included.
double waits_of(const StepProfile& profile, int ranks) {
  double waits = 1.0 + (profile.pairs ? pair_waits(*profile.pairs, ranks) : 0.0);
  for (const ExchangeKind& kind : profile.exchanges) waits += kind.times;
  for (const CollectiveKind& kind : profile.collectives) waits += kind.times;
  return waits;
}

/// What computing takes times as long as where it was measured: other cores of the node compute at
/// the same time now.
double slowness(const StepProfile& profile, int busy, bool is_here) {
  const auto speed = [&](int ranks) {
    if (profile.core_speeds.empty()) return 1.0;
    const auto cores = static_cast<std::size_t>(std::max(1, ranks * profile.threads));
    return profile.core_speeds[std::min(cores, profile.core_speeds.size()) - 1];
  };
  return speed(profile.together) / speed(is_here ? busy : 1);
}

/// What every rank asks all others once a step, while the step goes on: whether to stop.
double question_time(const plan::Machine& machine, const RanksOnNodes& ranks, double meanwhile) {
  constexpr plan::Count bytes = 12;
  StepProfile question;
  question.collectives = {{plan::Operation::allreduce, bytes, 1.0}};
  return std::max(0.0, reduction_time(question, machine, ranks, Transport::native) - meanwhile);
}

std::vector<int> process_grid_of(const StepProfile& profile, const PredictionRequest& request,
                                 const std::vector<long long>& extents, int node_size) {
  if (!request.process_grid.empty()) return request.process_grid;
  const bool several = request.ranks > node_size;
  return choose_process_grid({.ranks = request.ranks,
                              .extents = extents,
                              .periodic = profile.periodic,
                              .fixed = profile.process_grid,
                              .node_size = several ? node_size : 0});
}

/// As the run's grid says it.
void require_room(const StepProfile& profile, const std::vector<long long>& extents,
                  const std::vector<int>& dims) {
  for (std::size_t axis = 0; axis < dims.size(); ++axis) {
    const long long smallest = extents[axis] / dims[axis];
    if (dims[axis] == 1 || smallest >= profile.halo) continue;
    throw rt::input_error(
        fmt::format(
            "grid.extent: {} cells along {} on {} ranks leave a rank {} of them, but a field "
            "has a halo of {}",
            extents[axis], "xyz"[axis], dims[axis], smallest, profile.halo),
        "Use fewer ranks, more cells, or another mapping.process_grid.", rt::Reach::all_ranks);
  }
}

/// How many times the cells of a block are computed in one of several steps at once: all but the
/// last one also compute ghosts that neighbours own. Across periodic axes a rank alone does so,
/// too.
double computed_twice(const StepProfile& profile, int steps, const PredictedRun& run) {
  double sum = 0.0;
  for (int later = 0; later < steps; ++later) {
    double times = 1.0;
    for (std::size_t axis = 0; axis < run.block.size(); ++axis)
      if (!profile.periodic[axis])
        times *= 1.0 + later * profile.halo * std::min(run.process_grid[axis] - 1, 2) /
                           static_cast<double>(run.block[axis]);
    sum += times;
  }
  return sum / steps;
}

void predict_output(const StepProfile& profile, const plan::Machine& machine, PredictedRun& run) {
  const auto nodes = static_cast<int>(std::min<long long>(run.nodes, 1 << 30));
  const double bandwidth = machine.files.limited() ? machine.files.at(nodes) : 0.0;
  double seconds = 0.0;
  for (const OutputKind& kind : profile.outputs) {
    // All ranks do what a file of HDF5 takes; pictures are drawn by one while others wait.
    const bool is_file = kind.bytes > 0.0;
    const double beside = run.turns > 1.0 ? profile.beside_waiting : 1.0;
    double once = kind.seconds * (is_file ? run.turns : beside) +
                  kind.cell_seconds * cells_of(run.block) * run.turns;
    if (is_file) {
      once = std::max(once, machine.file_time);
      if (bandwidth > 0.0) once += kind.bytes / bandwidth;
    }
    seconds += kind.times * once;
  }
  part(run, RunPart::output) = profile.steps > 0.0 ? seconds / profile.steps : 0.0;
}

}  // namespace

std::string_view name_of(RunPart part) {
  constexpr std::array<std::string_view, run_parts> names{"kernels",    "boundary", "halo exchange",
                                                          "reductions", "the loop", "output"};
  return names[static_cast<std::size_t>(part)];
}

Transport transport_of(std::string_view backend) {
  if (backend == "auto" || backend == "shared") return Transport::memory;
  if (backend == "p2p" || backend == "rma") return Transport::messages;
  if (backend == "native") return Transport::native;
  throw rt::input_error(fmt::format("there is no backend '{}'", backend),
                        "There are: auto, shared, rma, p2p, native.");
}

double PredictedRun::step() const {
  return std::accumulate(seconds.begin(), seconds.end(), 0.0);
}

RunPart PredictedRun::largest() const {
  return static_cast<RunPart>(std::max_element(seconds.begin(), seconds.end()) - seconds.begin());
}

namespace {

/// With so many steps at once. The request says the process grid, and there is room for it.
PredictedRun predict_turns(const StepProfile& profile, int steps, const plan::Machine& machine,
                           const PredictionRequest& request) {
  const std::vector<long long>& extents = request.extents;
  const int places = places_of_node(profile, machine);
  const int node_size = request.node_size;
  PredictedRun run;
  run.ranks = request.ranks;
  run.nodes = (static_cast<long long>(request.ranks) + node_size - 1) / node_size;
  run.process_grid = request.process_grid;
  run.steps_at_once = steps;
  for (std::size_t axis = 0; axis < extents.size(); ++axis)
    run.block.push_back((extents[axis] + run.process_grid[axis] - 1) / run.process_grid[axis]);
  run.cores_of_node = cores_of_node(machine);
  const int on_node = std::min(request.ranks, node_size);
  run.turns = std::max(1.0, static_cast<double>(on_node) / places);

  const int busy = std::min(on_node, places);
  const double slow = slowness(profile, busy, request.is_here);
  const double again = computed_twice(profile, steps, run);
  // As many more particles as there are cells.
  const double more = cells_of(extents) / cells_of(profile.extents);
  KernelTime kernels = kernel_time(profile, machine, cells_of(run.block), busy, steps);
  // Ranks that take turns on a core find its caches full of each other's blocks.
  double in_turns = run.turns * kernels.kernels;
  if (run.turns > 1.0)
    in_turns =
        std::max(in_turns, kernels_of(profile.kernels, run.turns * cells_of(run.block)).kernels);
  if (profile.pair_seconds > 0.0) {
    kernels.by_memory = false;
    kernels.kernels = profile.pair_seconds * more * more / run.ranks;  // what all do to its own
    in_turns = run.turns * kernels.kernels;
  }
  run.by_memory = kernels.by_memory;
  part(run, RunPart::kernels) = slow * again * in_turns;
  part(run, RunPart::boundary) = slow * run.turns * kernels.boundary;
  part(run, RunPart::loop) = slow * run.turns * kernels.loop;

  const GridShape shape{run.process_grid, profile.periodic};
  std::vector<double> weights;
  for (const long long cells : run.block)
    weights.push_back(cells_of(run.block) / static_cast<double>(cells));
  run.around = surroundings(shape, node_size, request.remapped, weights);
  const HaloTime halo = halo_time(profile, machine, {extents, shape, run.block, run.around},
                                  request.transport, slow * again * kernels.kernels);
  run.flight = halo.flight;
  part(run, RunPart::halo) = run.turns * halo.copying + halo.exposed;
  const RanksOnNodes ranks{run.ranks, run.nodes, on_node};
  part(run, RunPart::reductions) = reduction_time(profile, machine, ranks, request.transport);
  if (profile.pairs)
    part(run, RunPart::reductions) +=
        pair_time(*profile.pairs, more, machine, ranks, request.transport, slow * kernels.kernels);
  part(run, RunPart::loop) += question_time(machine, ranks, run.step());
  part(run, RunPart::loop) +=
      (run.turns - 1.0) * profile.turn_seconds * waits_of(profile, run.ranks);
  predict_output(profile, machine, run);
  if (run.turns > 1.0)
    run.remarks.push_back(
        fmt::format("{} ranks share {} cores: all that is computed takes {:g} times as long",
                    on_node, run.cores_of_node, run.turns));
  if (profile.pair_seconds > 0.0 && !profile.pairs && run.ranks > 1)
    run.remarks.emplace_back(
        "what ranks send each other for forces between all pairs isn't in the prediction");
  if (const long long units = nodes_of(machine); units > 0 && run.nodes > units)
    run.remarks.push_back(fmt::format("'{}' has {} nodes; {} are imagined to be there",
                                      machine.name, units, run.nodes));
  return run;
}

/// Of the smallest rank.
std::vector<long long> smallest_block(const PredictionRequest& request) {
  std::vector<long long> block = request.extents;
  for (std::size_t axis = 0; axis < block.size(); ++axis) block[axis] /= request.process_grid[axis];
  return block;
}

}  // namespace

PredictedRun predict_run(const StepProfile& profile, const plan::Machine& machine,
                         const PredictionRequest& request) {
  PredictionRequest wanted = request;
  if (wanted.extents.empty()) wanted.extents = profile.extents;
  if (wanted.node_size <= 0) wanted.node_size = places_of_node(profile, machine);
  wanted.process_grid = process_grid_of(profile, wanted, wanted.extents, wanted.node_size);
  require_room(profile, wanted.extents, wanted.process_grid);
  if (profile.at_once.empty()) return predict_turns(profile, 1, machine, wanted);
  const int most = most_steps_at_once(smallest_block(wanted), profile.halo);
  std::optional<PredictedRun> best;
  for (const StepsAtOnce& turns : profile.at_once) {
    constexpr double clearly = 0.98;  // as in the run
    if (best && turns.steps > most) continue;
    StepProfile one = profile;
    one.kernels = turns.kernels;
    one.exchanges = turns.exchanges;
    PredictedRun run = predict_turns(one, turns.steps, machine, wanted);
    if (!best || run.step() < clearly * best->step()) best = std::move(run);
  }
  return *best;
}

}  // namespace cartwright::mapping
