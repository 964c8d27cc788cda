// SPDX-License-Identifier: Apache-2.0
#include "run_profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cartwright/grid/app/region_parts.hpp>
#include <cartwright/grid/run/run.hpp>
#include <cartwright/grid/run/thread_binding.hpp>
#include <cartwright/rt/agreement.hpp>
#include <cartwright/rt/deck.hpp>
#include <cartwright/rt/error.hpp>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "call_solver.hpp"
#include "output_times.hpp"

namespace cartwright::grid {
namespace {

/// Collective. A step of the slowest rank.
mapping::KernelSample times_of(const rt::Communicator& comm, const Sample::Loop& loop,
                               double cells) {
  using mapping::RunPart;
  double kernels = loop.seconds, boundary = 0.0, own = 0.0;
  for (const auto& [region, seconds] : loop.regions) {
    const auto part = part_of_region(region);
    if (part == RunPart::kernels) continue;
    kernels -= seconds;
    if (part == RunPart::boundary) boundary += seconds;
    if (part == RunPart::loop) own += seconds;
  }
  const double steps = static_cast<double>(std::max(loop.steps, 1LL));
  std::array most{std::max(0.0, kernels) / steps, std::max(0.0, boundary) / steps,
                  std::max(0.0, own) / steps};
  rt::combine(comm, most, rt::Combine::largest);
  return {cells, most[0], most[1], most[2]};
}

/// How often `fine` was halved to make `coarse`.
int halvings(const std::vector<long long>& fine, const std::array<long long, 3>& coarse) {
  double most = 0.0;
  for (std::size_t axis = 0; axis < fine.size(); ++axis)
    most = std::max(most, std::log2(static_cast<double>(fine[axis]) /
                                    static_cast<double>(std::max(coarse[axis], 1LL))));
  return static_cast<int>(std::lround(most));
}

/// Of a grid of these extents. Plans of one kind count together.
std::vector<mapping::ExchangeKind> exchanges_of(const Sample::Loop& loop,
                                                const std::vector<long long>& extents) {
  std::vector<mapping::ExchangeKind> kinds;
  const auto steps = static_cast<double>(loop.steps);
  for (const ExchangeCount& each : loop.exchanges) {
    mapping::ExchangeKind kind{halvings(extents, each.extents),
                               static_cast<double>(each.layer_bytes), each.corners, 0.0, 0.0};
    const auto same = [&kind](const mapping::ExchangeKind& other) {
      return other.coarser == kind.coarser && other.layer_bytes == kind.layer_bytes &&
             other.corners == kind.corners;
    };
    auto found = std::ranges::find_if(kinds, same);
    if (found == kinds.end()) found = kinds.insert(kinds.end(), kind);
    found->times += static_cast<double>(each.times) / steps;
    found->overlapped += static_cast<double>(each.overlapped) / steps;
  }
  return kinds;
}

void add_collectives(const Sample::Loop& loop, mapping::StepProfile& profile) {
  const auto steps = static_cast<double>(loop.steps);
  std::map<std::pair<plan::Operation, plan::Count>, double> times;
  for (const comm::CallCount& each : loop.collectives)
    times[{each.key.operation, each.key.size}] += static_cast<double>(each.calls) / steps;
  for (const auto& [key, often] : times)
    profile.collectives.push_back({key.first, key.second, often});
}

/// Collective. A part of a domain may have no solution where the whole has one, and small grids may
/// have no room for what the deck wants: false then.
template <class Attempt>
bool succeeds(const Attempt& attempt) {
  try {
    attempt();
    return true;
  } catch (const rt::Error& error) {
    if (error.reach() != rt::Reach::all_ranks) throw;
    return false;
  }
}

void describe(rt::Runtime& runtime, const RunRequest& request, const SolverEntry& solver,
              const Sample& sample, mapping::StepProfile& profile) {
  const GridOptions& grid = request.options.grid;
  profile.solver = solver.name;
  profile.deck = runtime.deck().file_name();
  profile.extents = grid.extent;
  profile.periodic = grid.periodic;
  profile.periodic.resize(grid.extent.size(), false);
  profile.process_grid = request.mapping.process_grid;
  profile.steps = static_cast<double>(sample.last_step);
  profile.overlap = request.options.exchange.overlap;
  // A run that may choose makes fewer steps at once by itself on ranks with fewer cells.
  const bool may_choose = !request.options.time.steps_at_once();
  for (const auto& storage : sample.storages)
    profile.halo = std::max(profile.halo, may_choose ? storage.reach : storage.halo);
  // Read and written, once a step at least.
  for (const auto& field : sample.fields)
    profile.cell_bytes += 2.0 * static_cast<double>(field.bytes_per_point);
}

}  // namespace

RunRequest sample_request(const RunRequest& request, double cells_wanted, SampleSpacing spacing) {
  RunRequest sample = request;
  auto& grid = sample.options.grid;
  const double shrink = std::min(1.0, std::pow(cells_wanted / mapping::cells_of(grid.extent),
                                               1.0 / sample.options.dimensions()));
  for (std::size_t axis = 0; axis < grid.extent.size(); ++axis) {
    const auto cells = std::max(std::min(8LL, grid.extent[axis]),
                                std::llround(shrink * static_cast<double>(grid.extent[axis])));
    if (spacing == SampleSpacing::as_the_run)
      grid.length[axis] *= static_cast<double>(cells) / static_cast<double>(grid.extent[axis]);
    grid.extent[axis] = cells;
  }
  grid.edges = {};
  grid.weights = {};
  sample.mapping = {};
  sample.comm = {};
  return sample;
}

MeasuredLoop measure_loop(rt::Runtime& runtime, const RunRequest& request,
                          const SolverEntry& solver, const std::vector<double>& cells_of_rank,
                          const std::vector<long long>& blocks) {
  const int ranks = runtime.comm().size();
  MeasuredLoop measured;
  mapping::StepProfile& profile = measured.profile;
  std::string results;
  double before = 0.0;
  for (const double wanted : cells_of_rank) {
    const RunRequest small = sample_request(request, wanted * ranks);
    const double cells = mapping::cells_of(small.options.grid.extent);
    if (cells <= before) continue;  // the grid has no more
    before = cells;
    Sample sample;
    const auto attempt = [&](const RunRequest& of) {
      sample = {};
      sample.blocks = blocks;
      sample.share = cells / mapping::cells_of(request.options.grid.extent);
      Run run(runtime, of, solver, &sample);
      results = run.results();
      if (!measured.topology)
        measured.topology = std::make_shared<const mapping::Topology>(run.topology());
      call_solver(solver, run);
    };
    const bool is_last =
        wanted == cells_of_rank.back() || cells >= mapping::cells_of(request.options.grid.extent);
    if (is_last) {
      attempt(small);
    } else if (!succeeds([&] { attempt(small); }) && !succeeds([&] {
                 attempt(sample_request(request, wanted * ranks, SampleSpacing::whole_domain));
               })) {
      continue;
    }
    if (sample.loop.steps > 0)
      profile.kernels.push_back(times_of(runtime.comm(), sample.loop, cells / ranks));
    profile.sampled = small.options.grid.extent;
    measured.sample = std::move(sample);
  }
  const Sample& last = measured.sample;
  describe(runtime, request, solver, last, profile);
  if (last.loop.steps == 0) profile.kernels.clear();  // what small grids did says little
  if (profile.kernels.empty()) return measured;
  if (last.all_pairs)  // as many pairs as the run's, on one rank
    profile.pair_seconds =
        profile.kernels.back().kernels * ranks * last.particles_scale * last.particles_scale;
  profile.pairs = last.pairs;
  profile.exchanges = exchanges_of(last.loop, profile.sampled);
  add_collectives(last.loop, profile);
  add_output_times(request, solver, last, results, profile);
  profile.threads = ThreadBinding::of_this_rank().threads;
  return measured;
}

namespace {

/// Collective. With so many steps at once; no kernels where the solver's loop makes no turns of
/// several, or where samples have no room for them: smaller blocks wouldn't choose them.
mapping::StepsAtOnce measured_at_once(rt::Runtime& runtime, RunRequest request,
                                      const SolverEntry& solver, std::vector<double> cells_of_rank,
                                      int steps) {
  constexpr int least_reach = 1;
  const int ranks = runtime.comm().size();
  request.options.time.fuse = std::to_string(steps);
  std::erase_if(cells_of_rank, [&](double wanted) {
    const auto& extent = sample_request(request, wanted * ranks).options.grid.extent;
    return mapping::most_steps_at_once(extent, least_reach) < steps;
  });
  if (cells_of_rank.empty()) return {steps, {}, {}};
  MeasuredLoop loop;
  const auto measure = [&](const std::vector<double>& cells) {
    return succeeds([&] { loop = measure_loop(runtime, request, solver, cells, {}); });
  };
  const auto is_wide = [](const auto& storage) { return storage.halo > storage.reach; };
  // The smallest sample tells whether there is anything to measure.
  if (steps > 1 && measure({cells_of_rank.front()}) &&
      std::ranges::none_of(loop.sample.storages, is_wide))
    return {steps, {}, {}};
  if (!measure(cells_of_rank)) return {steps, {}, {}};
  return {steps, std::move(loop.profile.kernels), std::move(loop.profile.exchanges)};
}

}  // namespace

void measure_steps_at_once(rt::Runtime& runtime, const RunRequest& request,
                           const SolverEntry& solver, const std::vector<double>& cells_of_rank,
                           MeasuredLoop& measured) {
  const int most = mapping::most_steps_at_once({}, 1);
  mapping::StepProfile& profile = measured.profile;
  if (request.options.time.steps_at_once() || profile.kernels.empty()) return;
  for (int steps = most; steps >= 1; steps /= 2) {
    if (steps == 1 && profile.at_once.empty()) return;  // there is no choice
    mapping::StepsAtOnce turns = measured_at_once(runtime, request, solver, cells_of_rank, steps);
    if (!turns.kernels.empty())
      profile.at_once.insert(profile.at_once.begin(), std::move(turns));
    else if (steps == 1)
      profile.at_once.clear();
  }
}

}  // namespace cartwright::grid
