// SPDX-License-Identifier: Apache-2.0
#include "kernel_cost.hpp"

#include <algorithm>
#include <cartwright/mapping/predict/node_channels.hpp>
#include <cartwright/mapping/predict/run_prediction.hpp>
#include <limits>
#include <stdexcept>

namespace cartwright::mapping {

namespace {

/// Fields of fewer bytes stay in the caches of a rank's cores.
double cache_of_rank(const plan::Machine& machine, int threads) {
  constexpr std::int64_t usual = 2 << 20;
  return static_cast<double>(machine.cache_of_core > 0 ? machine.cache_of_core : usual) * threads;
}

/// Kernels that memory slows down by less than this are taken to wait for cores.
constexpr double clearly_slower = 1.1;

/// Seconds for each cell where kernels are quickest.
double quickest_cell(const StepProfile& profile) {
  double least = std::numeric_limits<double>::infinity();
  for (const KernelSample& sample : profile.kernels)
    if (sample.cells > 0.0) least = std::min(least, sample.kernels / sample.cells);
  return least;
}

/// Bytes a second of a rank when `busy` of a node compute; 0: not known.
double bandwidth_of_rank(const plan::Machine& machine, int busy, int threads) {
  return machine.memory.limited() ? machine.memory.at(busy * threads) / busy : 0.0;
}

}  // namespace

int cores_of_node(const plan::Machine& machine) {
  return machine.ranks_in_unit(node_level(machine));
}

long long nodes_of(const plan::Machine& machine) {
  long long nodes = 1;
  for (std::size_t level = 0; level <= node_level(machine); ++level)
    nodes *= machine.levels[level].units;
  return nodes;
}

KernelSample kernels_of(std::span<const KernelSample> samples, double cells) {
  if (samples.empty()) throw std::invalid_argument("a profile without times of kernels");
  const auto between = [cells](const KernelSample& a, const KernelSample& b) {
    const double t = (cells - a.cells) / (b.cells - a.cells);
    // Before the first sample a line may lead below what it takes to begin.
    const auto at = [t](double from, double to) { return std::max(from + t * (to - from), 0.0); };
    return KernelSample{cells, at(a.kernels, b.kernels), at(a.boundary, b.boundary),
                        at(a.loop, b.loop)};
  };
  const KernelSample& last = samples.back();
  if (cells >= last.cells) {
    const double more = cells / last.cells;
    return {cells, last.kernels * more, last.boundary * more, last.loop};
  }
  if (samples.size() == 1 || cells <= samples.front().cells) {
    // The begin of kernels, which small blocks take most of, is paid whatever the block.
    if (samples.size() == 1) {
      const double less = cells / last.cells;
      return {cells, last.kernels * less, last.boundary * less, last.loop};
    }
    KernelSample low = between(samples[0], samples[1]);
    const double part = cells / samples[0].cells;
    low.kernels = std::clamp(low.kernels, samples[0].kernels * part, samples[0].kernels);
    low.boundary = std::clamp(low.boundary, samples[0].boundary * part, samples[0].boundary);
    low.loop = samples[0].loop;
    return low;
  }
  const auto above = std::ranges::find_if(
      samples, [cells](const KernelSample& sample) { return sample.cells > cells; });
  return between(*std::prev(above), *above);
}

KernelTime kernel_time(const StepProfile& profile, const plan::Machine& machine, double cells,
                       int busy, int steps) {
  const KernelSample here = kernels_of(profile.kernels, cells);
  KernelTime time{here.kernels, here.boundary, here.loop, false};
  const double there = bandwidth_of_rank(machine, busy, profile.threads);
  if (there <= 0.0 || cells * profile.cell_bytes <= cache_of_rank(machine, profile.threads))
    return time;
  const double computed = cells * quickest_cell(profile);
  if (here.kernels > clearly_slower * computed && profile.memory_bandwidth > 0.0)
    time.kernels = std::max(computed, here.kernels * profile.memory_bandwidth / there);
  else  // all fields pass once, at least; but that hasn't taken more here
    time.kernels = std::max(here.kernels, std::min(cells * profile.cell_bytes / steps,
                                                   here.kernels * profile.memory_bandwidth) /
                                              there);
  time.by_memory = time.kernels > clearly_slower * computed;
  return time;
}

}  // namespace cartwright::mapping
