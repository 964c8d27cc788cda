// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/grid/field/cell_tables.hpp>
#include <cartwright/grid/field/grid_base.hpp>
#include <cartwright/grid/kernels/execution.hpp>
#include <cartwright/grid/run/run.hpp>
#include <cartwright/rt/error.hpp>

namespace cartwright::grid {
namespace {

/// The least extent of a rank's block along `axis`.
long long narrowest(const GridBase& grid, int axis) {
  const std::vector<long long>& cuts = grid.cuts()[static_cast<std::size_t>(axis)];
  long long least = grid.extent(axis);
  for (std::size_t part = 0; part + 1 < cuts.size(); ++part)
    least = std::min(least, cuts[part + 1] - cuts[part]);
  return least;
}

/// What pays on hosts whose cores have caches of some MiB: blocks that leave them, and that are
/// wide against what is computed twice. By constants, as all ranks must agree, whatever they run
/// on.
int worthwhile_steps(const GridBase& grid, int reach, std::size_t element_bytes) {
  constexpr int steps = 4;
  constexpr double fewest_bytes = 4.0 * 1024 * 1024;
  constexpr long long narrowest_block = 16;  // times the width of the ghosts
  double bytes = static_cast<double>(element_bytes);
  for (int axis = 0; axis < grid.dimensions(); ++axis) {
    const long long extent = narrowest(grid, axis);
    if (extent < narrowest_block * reach * steps / 2) return 1;
    bytes *= static_cast<double>(extent);
  }
  return kernels_run_on_host && bytes >= fewest_bytes ? steps : 1;
}

}  // namespace

int GridBase::steps_at_once(int reach, Centring centring, std::size_t element_bytes) const {
  if (run_ == nullptr || checks() != nullptr || centring != Centring::cell || reach < 1) return 1;
  // Beyond the end of such an axis, widths are differences of other numbers: other last bits.
  for (int axis = 0; axis < dimensions(); ++axis)
    if (is_stretched(axis) && periodic(axis)) return 1;
  const auto wanted = run_->options().time.steps_at_once();
  if (!wanted) {
    const int steps = worthwhile_steps(*this, reach, element_bytes);
    return is_stretched() && steps * reach > CellTables::margin ? 1 : steps;
  }
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
