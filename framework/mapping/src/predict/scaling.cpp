// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/mapping/predict/run_prediction.hpp>
#include <cartwright/mapping/search/process_grid.hpp>
#include <limits>

namespace cartwright::mapping {

namespace {

/// The most even process grid: with the same cells for each rank its blocks may lie in any way.
std::vector<int> even_grid(std::size_t axes, int ranks) {
  return choose_process_grid(
      {.ranks = ranks, .extents = std::vector<long long>(axes, std::numeric_limits<int>::max())});
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

std::string bend(std::span<const PredictedRun> runs, Scaling scaling) {
  constexpr double half = 0.5;
  const auto found = std::ranges::find_if(
      runs, [&](const PredictedRun& run) { return efficiency(runs.front(), run, scaling) < half; });
  if (found == runs.end()) return {};
  const PredictedRun& first = runs.front();
  const double ideal = scaling == Scaling::weak
                           ? 1.0
                           : static_cast<double>(first.ranks) / static_cast<double>(found->ranks);
  // What each part takes beyond its share of ideal scaling.
  std::vector<std::pair<double, RunPart>> beyond;
  double sum = 0.0;
  for (std::size_t i = 0; i < run_parts; ++i) {
    const double more = found->seconds[i] - ideal * first.seconds[i];
    beyond.emplace_back(more, static_cast<RunPart>(i));
    sum += std::max(0.0, more);
  }
  std::ranges::sort(beyond, std::greater<>{});
  std::string why;
  for (const auto& [more, part] : beyond) {
    constexpr double worth_a_word = 0.15;
    if (more < worth_a_word * sum) break;
    why += fmt::format("{}{} ({:.0f} % of the loss{})", why.empty() ? "" : ", ", name_of(part),
                       100.0 * more / sum,
                       part == RunPart::kernels && found->by_memory ? ", cores share memory" : "");
  }
  return fmt::format("bends at {} ranks, where half of the cores' work is lost: {}", found->ranks,
                     why);
}

}  // namespace cartwright::mapping
