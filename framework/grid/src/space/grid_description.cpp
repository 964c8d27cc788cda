// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/grid/space/grid_description.hpp>
#include <cartwright/rt/error.hpp>
#include <cmath>

namespace cartwright::grid {
namespace {

/// Edge `i` of a stretched axis, also beyond its ends.
double edge(const GridDescription& grid, int axis, long long i) {
  const auto a = static_cast<std::size_t>(axis);
  const std::vector<double>& edges = grid.edges[a];
  const long long cells = grid.extent[a];
  if (i >= 0 && i <= cells) return edges[static_cast<std::size_t>(i)];
  if (grid.periodic[a]) {
    const long long turns = i > 0 ? i / cells : -((cells - 1 - i) / cells);
    return edges[static_cast<std::size_t>(i - turns * cells)] +
           static_cast<double>(turns) * grid.length[a];
  }
  if (i < 0) return 2.0 * edges.front() - edge(grid, axis, -i);
  return 2.0 * edges.back() - edge(grid, axis, 2 * cells - i);
}

}  // namespace

double GridDescription::least_spacing(int axis) const {
  const std::vector<double>& all = edges[static_cast<std::size_t>(axis)];
  if (all.empty()) return spacing(axis);
  double least = all[1] - all[0];
  for (std::size_t i = 1; i + 1 < all.size(); ++i) least = std::min(least, all[i + 1] - all[i]);
  return least;
}

double GridDescription::position(int axis, Centring centring, long long point) const {
  const auto a = static_cast<std::size_t>(axis);
  if (!is_stretched(axis))
    return origin[a] +
           (static_cast<double>(point) + offset_in_cell(centring, axis)) * spacing(axis);
  if (is_nodal(centring, axis)) return edge(*this, axis, point);
  return 0.5 * (edge(*this, axis, point) + edge(*this, axis, point + 1));
}

double GridDescription::relative_width(int axis, Centring centring, long long point) const {
  if (!is_stretched(axis)) return 1.0;
  const double mean = spacing(axis);
  if (!is_nodal(centring, axis))
    return (edge(*this, axis, point + 1) - edge(*this, axis, point)) / mean;
  return 0.5 * (edge(*this, axis, point + 1) - edge(*this, axis, point - 1)) / mean;
}

void require_edges(const GridDescription& grid) {
  for (int axis = 0; axis < grid.dimensions; ++axis) {
    if (!grid.is_stretched(axis)) continue;
    const auto a = static_cast<std::size_t>(axis);
    const std::vector<double>& edges = grid.edges[a];
    const char letter = "xyz"[axis];
    const auto refuse = [&](const std::string& what) {
      throw rt::input_error(fmt::format("the edges of cells along {} {}", letter, what),
                            "They rise from 'grid.origin' to 'grid.origin' + 'grid.length': one "
                            "more than there are cells.",
                            rt::Reach::all_ranks);
    };
    if (edges.size() != static_cast<std::size_t>(grid.extent[a]) + 1)
      refuse(fmt::format("are {}, but there are {} cells", edges.size(), grid.extent[a]));
    for (std::size_t i = 0; i < edges.size(); ++i) {
      if (!std::isfinite(edges[i]))
        refuse(fmt::format("are no numbers: edge {} is {}", i, edges[i]));
      if (i > 0 && !(edges[i] > edges[i - 1] && 0.5 * (edges[i] + edges[i - 1]) > edges[i - 1] &&
                     0.5 * (edges[i] + edges[i - 1]) < edges[i]))
        refuse(fmt::format("don't rise: edge {} is {:g}, edge {} is {:g}", i - 1, edges[i - 1], i,
                           edges[i]));
    }
    const double end = grid.origin[a] + grid.length[a];
    const double close = 1e-9 * grid.length[a];
    if (std::abs(edges.front() - grid.origin[a]) > close || std::abs(edges.back() - end) > close)
      refuse(fmt::format("span {:g} to {:g}, but the grid {:g} to {:g}", edges.front(),
                         edges.back(), grid.origin[a], end));
  }
}

}  // namespace cartwright::grid
