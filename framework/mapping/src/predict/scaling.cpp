// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/mapping/predict/run_prediction.hpp>
#include <cartwright/mapping/search/process_grid.hpp>
#include <functional>
#include <limits>
#include <utility>

namespace cartwright::mapping {

namespace {

/// The most even process grid: with the same cells for each rank its blocks may lie in any way.
std::vector<int> even_grid(std::size_t axes, int ranks) {
  return choose_process_grid(
      {.ranks = ranks, .extents = std::vector<long long>(axes, std::numeric_limits<int>::max())});
}

/// What each part takes beyond its share of ideal scaling.
Bend bend_between(const PredictedRun& before, const PredictedRun& run, Scaling scaling) {
  const double ideal = scaling == Scaling::weak
                           ? 1.0
                           : static_cast<double>(before.ranks) / static_cast<double>(run.ranks);
  std::vector<std::pair<double, RunPart>> beyond;
  double sum = 0.0;
  for (std::size_t i = 0; i < run_parts; ++i) {
    const double more = run.seconds[i] - ideal * before.seconds[i];
    beyond.emplace_back(more, static_cast<RunPart>(i));
    sum += std::max(0.0, more);
  }
  std::ranges::sort(beyond, std::greater<>{});
  Bend bend{run.ranks, beyond.front().second, {}};
  for (const auto& [more, part] : beyond) {
    constexpr double worth_a_word = 0.15;
    if (more < worth_a_word * sum) break;
    bend.why +=
        fmt::format("{}{} ({:.0f} % of the loss{})", bend.why.empty() ? "" : ", ", name_of(part),
                    100.0 * more / sum,
                    part == RunPart::kernels && run.by_memory ? ", cores share memory" : "");
  }
  return bend;
}

}  // namespace

PredictionRequest scaled(const StepProfile& profile, Scaling scaling, int ranks, int base) {
  PredictionRequest request{.ranks = ranks};
  if (scaling == Scaling::strong) return request;
  const std::vector<int> first = even_grid(profile.extents.size(), base);
  request.process_grid = even_grid(profile.extents.size(), ranks);
  for (std::size_t axis = 0; axis < profile.extents.size(); ++axis) {
    const long long cells = (profile.extents[axis] + first[axis] - 1) / first[axis];
    request.extents.push_back(cells * request.process_grid[axis]);
  }
  return request;
}

double efficiency(const PredictedRun& first, const PredictedRun& run, Scaling scaling) {
  const double faster = first.step() / run.step();
  return scaling == Scaling::weak ? faster : faster * first.ranks / run.ranks;
}

std::vector<Bend> bends(std::span<const PredictedRun> runs, Scaling scaling) {
  constexpr double half = 0.5;
  std::vector<Bend> found;
  const PredictedRun* best = nullptr;
  for (const PredictedRun& run : runs) {
    const double now = efficiency(runs.front(), run, scaling);
    const double before = best != nullptr ? efficiency(runs.front(), *best, scaling) : 0.0;
    if (now < half * before) {
      Bend bend = bend_between(*best, run, scaling);
      if (found.empty() || found.back().part != bend.part) found.push_back(std::move(bend));
    }
    if (now > before || now < half * before) best = &run;
  }
  return found;
}

}  // namespace cartwright::mapping
