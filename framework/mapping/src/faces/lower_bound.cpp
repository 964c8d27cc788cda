// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/mapping/faces/lower_bound.hpp>
#include <cmath>
#include <limits>
#include <map>

namespace cartwright::mapping {

namespace {

/// An axis with more than one position.
struct Axis {
  int extent;
  bool periodic;
  double weight;
};

std::vector<Axis> long_axes(const GridShape& shape, const std::vector<double>& weights) {
  std::vector<Axis> axes;
  for (std::size_t axis = 0; axis < shape.dims.size(); ++axis) {
    if (shape.dims[axis] == 1) continue;
    axes.push_back({shape.dims[axis], shape.periodic[axis], weights.empty() ? 1.0 : weights[axis]});
  }
  return axes;
}

/// Rings that a node of `size` positions may own, and that then aren't cut.
double rings(const std::vector<Axis>& axes, int size) {
  double sum = 0.0;
  for (const Axis& axis : axes) {
    const int whole = size / axis.extent;
    if (axis.periodic) sum += axis.weight * whole;
  }
  return sum;
}

/// What every bounded line saves, since q nodes cut it q - 1 times.
double line_ends(const std::vector<Axis>& axes, double positions) {
  double sum = 0.0;
  for (const Axis& axis : axes) {
    if (!axis.periodic) sum += axis.weight * positions / axis.extent;
  }
  return sum;
}

/// Least weighted sum of the shadows of `size` positions. The shadow along the last axis follows
/// from the others: their product is `size`^(d-1) at least.
double least_shadows(const std::vector<Axis>& axes, std::size_t axis, int size, double product) {
  const auto smallest =
      static_cast<int>(std::ceil(static_cast<double>(size) / axes[axis].extent - 1e-9));
  if (axis + 1 == axes.size()) {
    const double all = std::pow(size, static_cast<double>(axes.size()) - 1.0);
    return axes[axis].weight * std::max<double>(smallest, std::ceil(all / product - 1e-9));
  }
  double least = std::numeric_limits<double>::max();
  for (int shadow = smallest; shadow <= size; ++shadow) {
    const double here = axes[axis].weight * shadow;
    if (here >= least) break;
    least = std::min(least, here + least_shadows(axes, axis + 1, size, product * shadow));
  }
  return least;
}

/// Without whole numbers: by the inequality of arithmetic and geometric means.
double smooth_shadows(const std::vector<Axis>& axes, int size) {
  const auto d = static_cast<double>(axes.size());
  double product = 1.0;
  for (const Axis& axis : axes) product *= axis.weight;
  return d * std::pow(product, 1.0 / d) * std::pow(size, (d - 1.0) / d);
}

template <typename Shadows>
double bound(const GridShape& shape, std::span<const int> node_sizes, const std::vector<Axis>& axes,
             Shadows shadows) {
  if (axes.empty()) return 0.0;
  std::map<int, int> nodes_of_size;
  for (const int size : node_sizes) ++nodes_of_size[size];
  double sum = -line_ends(axes, static_cast<double>(shape.size()));
  for (const auto& [size, count] : nodes_of_size) {
    if (size > 0) sum += count * std::max(0.0, shadows(size) - rings(axes, size));
  }
  return std::max(0.0, sum);
}

}  // namespace

long long faces_lower_bound(const GridShape& shape, std::span<const int> node_sizes) {
  const auto axes = long_axes(shape, {});
  return std::llround(bound(shape, node_sizes, axes, [&](int size) {
    return std::ceil(smooth_shadows(axes, size) - 1e-9);
  }));
}

double sharp_lower_bound(const GridShape& shape, std::span<const int> node_sizes,
                         const std::vector<double>& weights) {
  constexpr int largest_enumerated = 1024;
  const auto axes = long_axes(shape, weights);
  return bound(shape, node_sizes, axes, [&](int size) {
    const bool is_small = size <= largest_enumerated && axes.size() <= 3;
    return is_small ? least_shadows(axes, 0, size, 1.0) : smooth_shadows(axes, size);
  });
}

}  // namespace cartwright::mapping
