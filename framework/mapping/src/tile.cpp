// SPDX-License-Identifier: Apache-2.0
#include <cartwright/mapping/tile.hpp>
#include <functional>
#include <numeric>
#include <utility>

namespace cartwright::mapping {

namespace {

int product(const std::vector<int>& factors) {
  return std::accumulate(factors.begin(), factors.end(), 1, std::multiplies<>());
}

/// Calls `visit` for every way to write `left` as a product with one divisor of each extent, from
/// `axis` on, smallest divisors of the first axes first.
void for_each_tile(const std::vector<int>& dims, std::vector<int>& tile, std::size_t axis, int left,
                   const std::function<void()>& visit) {
  if (axis == dims.size()) {
    if (left == 1) visit();
    return;
  }
  for (int extent = 1; extent <= left && extent <= dims[axis]; ++extent) {
    if (left % extent != 0 || dims[axis] % extent != 0) continue;
    tile[axis] = extent;
    for_each_tile(dims, tile, axis + 1, left / extent, visit);
  }
}

}  // namespace

double tile_faces(const GridShape& shape, const std::vector<int>& tile,
                  const std::vector<double>& weights) {
  const auto ranks = static_cast<double>(shape.size());
  double faces = 0.0;
  for (std::size_t axis = 0; axis < tile.size(); ++axis) {
    const double weight = weights.empty() ? 1.0 : weights[axis];
    const double between_all = ranks / tile[axis];  // n A_i = (P / k) (k / k_i)
    if (!shape.periodic[axis]) {
      faces += weight * (between_all - ranks / shape.dims[axis]);
    } else if (tile[axis] < shape.dims[axis]) {
      faces += weight * between_all;
    }
  }
  return faces;
}

std::optional<std::vector<int>> choose_tile(const GridShape& shape, int node_size,
                                            const std::vector<double>& weights) {
  std::optional<std::vector<int>> best;
  double fewest = 0.0;
  std::vector<int> tile(shape.dims.size());
  for_each_tile(shape.dims, tile, 0, node_size, [&] {
    const double faces = tile_faces(shape, tile, weights);
    if (!best || faces < fewest) {
      best = tile;
      fewest = faces;
    }
  });
  return best;
}

TileOrder::TileOrder(GridShape shape, std::vector<int> tile)
    : shape_(std::move(shape)), tiles_(shape_), tile_(std::move(tile)), tile_size_(product(tile_)) {
  for (std::size_t axis = 0; axis < tile_.size(); ++axis) tiles_.dims[axis] /= tile_[axis];
}

std::vector<int> TileOrder::coordinates(int slot) const {
  std::vector<int> coordinates = tiles_.coordinates_of(slot / tile_size_);
  int inside = slot % tile_size_;
  for (std::size_t axis = 0; axis < tile_.size(); ++axis) {
    coordinates[axis] = coordinates[axis] * tile_[axis] + inside % tile_[axis];
    inside /= tile_[axis];
  }
  return coordinates;
}

int TileOrder::slot(const std::vector<int>& coordinates) const {
  int node = 0;
  int inside = 0;
  for (std::size_t axis = tile_.size(); axis-- > 0;) {
    node = node * tiles_.dims[axis] + coordinates[axis] / tile_[axis];
    inside = inside * tile_[axis] + coordinates[axis] % tile_[axis];
  }
  return node * tile_size_ + inside;
}

}  // namespace cartwright::mapping
