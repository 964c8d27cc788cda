// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/grid/field/grid_base.hpp>
#include <cartwright/grid/run/run.hpp>
#include <cartwright/grid/run/sample.hpp>
#include <cartwright/mapping/predict/step_profile.hpp>
#include <cartwright/rt/error.hpp>
#include <vector>

namespace cartwright::grid {
namespace {

/// The least extent of a rank's block along `axis`; in a sample also of the run's that it is of.
long long narrowest(const GridBase& grid, int axis) {
  const auto place = static_cast<std::size_t>(axis);
  const std::vector<long long>& cuts = grid.cuts()[place];
  long long least = grid.extent(axis);
  for (std::size_t part = 0; part + 1 < cuts.size(); ++part)
    least = std::min(least, cuts[part + 1] - cuts[part]);
  if (const Sample* const sample = grid.sample();
      sample != nullptr && place < sample->blocks.size())
    least = std::min(least, sample->blocks[place]);
  return least;
}

/// As many as the first steps of a run may try (see TurnChoice). Wide ghosts take memory, and are
/// computed on both sides: not where blocks are small.
int steps_to_try(const GridBase& grid, int reach) {
  std::vector<long long> block(static_cast<std::size_t>(grid.dimensions()));
  for (int axis = 0; axis < grid.dimensions(); ++axis)
    block[static_cast<std::size_t>(axis)] = narrowest(grid, axis);
  return mapping::most_steps_at_once(block, reach);
}

}  // namespace

int GridBase::steps_at_once(int reach, Centring centring) const {
  if (run_ == nullptr || checks() != nullptr || centring != Centring::cell || reach < 1) return 1;
  // Beyond the end of such an axis, widths are differences of other numbers: other last bits.
  for (int axis = 0; axis < dimensions(); ++axis)
    if (is_stretched(axis) && periodic(axis)) return 1;
  const auto wanted = run_->options().time.steps_at_once();
  if (!wanted) return steps_to_try(*this, reach);
  for (int axis = 0; axis < dimensions(); ++axis) {
    const long long least = narrowest(*this, axis);
    if (*wanted == 1 || least >= *wanted * reach) continue;
    throw rt::input_error(
        fmt::format(
            "time.fuse: {} steps at once need blocks of {} cells, but along {} a rank has {}",
            *wanted, *wanted * reach, "xyz"[axis], least),
        "Fuse fewer steps, or use fewer ranks or more cells.", rt::Reach::all_ranks);
  }
  return static_cast<int>(*wanted);
}

}  // namespace cartwright::grid
