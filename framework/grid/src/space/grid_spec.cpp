// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/grid/space/block.hpp>
#include <cartwright/grid/space/grid_spec.hpp>
#include <cartwright/rt/error.hpp>
#include <cmath>

namespace cartwright::grid {
namespace {

template <class T>
void fill_axes(const char* what, const std::vector<T>& given, std::size_t count,
               std::array<T, 3>& values) {
  if (!given.empty() && given.size() != count)
    throw rt::internal_failure(
        fmt::format("a GridSpec has {} axes, but {} numbers for '{}'", count, given.size(), what));
  std::copy(given.begin(), given.end(), values.begin());
}

}  // namespace

GridDescription description_of(const GridSpec& spec) {
  const std::size_t count = spec.extent.size();
  if (count < 1 || count > 3)
    throw rt::internal_failure("a GridSpec has 1, 2 or 3 extents", "Give one for each axis.");
  GridDescription grid;
  grid.dimensions = static_cast<int>(count);
  fill_axes("extent", spec.extent, count, grid.extent);
  const auto longest = static_cast<double>(*std::ranges::max_element(spec.extent));
  for (std::size_t axis = 0; axis < count; ++axis)
    grid.length[axis] = static_cast<double>(spec.extent[axis]) / longest;
  fill_axes("length", spec.length, count, grid.length);
  fill_axes("origin", spec.origin, count, grid.origin);
  std::copy(
      spec.periodic.begin(),
      spec.periodic.begin() + static_cast<std::ptrdiff_t>(std::min(spec.periodic.size(), count)),
      grid.periodic.begin());
  for (std::size_t axis = 0; axis < count; ++axis)
    if (grid.extent[axis] < 1 || !(grid.length[axis] > 0.0) || !std::isfinite(grid.length[axis]))
      throw rt::internal_failure(fmt::format("a GridSpec with {} cells in {} along {}",
                                             grid.extent[axis], grid.length[axis], "xyz"[axis]),
                                 "Each axis needs a cell or more, and a length above 0.");
  if (!spec.edges.empty() && spec.edges.size() != count)
    throw rt::internal_failure(
        fmt::format("a GridSpec has {} axes, but edges for {}", count, spec.edges.size()),
        "Give an empty list where cells are equal.");
  std::copy(spec.edges.begin(), spec.edges.end(), grid.edges.begin());
  for (std::size_t axis = 0; axis < count; ++axis) {
    const std::vector<double>& edges = grid.edges[axis];
    if (edges.empty() || !spec.length.empty() || !spec.origin.empty()) continue;
    grid.origin[axis] = edges.front();  // with edges alone, they say where the grid is
    grid.length[axis] = edges.back() - edges.front();
  }
  require_edges(grid);
  return grid;
}

std::vector<int> ranks_of(const Cuts& cuts) {
  std::vector<int> ranks;
  for (const auto& of_axis : cuts) ranks.push_back(static_cast<int>(of_axis.size()) - 1);
  return ranks;
}

Cuts even_cuts(const GridDescription& grid, const std::vector<int>& ranks) {
  Cuts cuts(ranks.size());
  for (std::size_t axis = 0; axis < ranks.size(); ++axis)
    for (int part = 0; part <= ranks[axis]; ++part)
      cuts[axis].push_back(part_begin(grid.extent[axis], ranks[axis], part));
  return cuts;
}

Cuts coarser_cuts(const Cuts& cuts, const std::vector<int>& factors) {
  Cuts coarse = cuts;
  for (std::size_t axis = 0; axis < coarse.size(); ++axis)
    for (long long& cut : coarse[axis]) cut = (cut + factors[axis] - 1) / factors[axis];
  return coarse;
}

}  // namespace cartwright::grid
