// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/grid/field/grid_base.hpp>
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

}  // namespace

int GridBase::steps_at_once(int reach, Centring centring) const {
  if (run_ == nullptr || checks() != nullptr || centring != Centring::cell || reach < 1) return 1;
  // Beyond the end of such an axis, widths are differences of other numbers: other last bits.
  for (int axis = 0; axis < dimensions(); ++axis)
    if (is_stretched(axis) && periodic(axis)) return 1;
  const auto wanted = run_->options().time.steps_at_once();
  // What pays: on one rank four at once take 0.92 of the time of single steps past the caches (0.78
  // as code for one processor: docs/evidence/2026-11-23_kernels_again); between ranks nobody has
  // measured what ghosts four times as wide cost.
  if (!wanted) return 1;
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
