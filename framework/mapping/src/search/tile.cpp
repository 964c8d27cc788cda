// SPDX-License-Identifier: Apache-2.0
#include <cartwright/mapping/search/tile.hpp>
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
    : TileOrder(std::move(shape), std::vector<std::vector<int>>{std::move(tile)}) {}

TileOrder::TileOrder(GridShape shape, std::vector<std::vector<int>> tiles)
    : shape_(std::move(shape)), tiles_(std::move(tiles)) {}

// A slot is a number of mixed radix: which tile of the grid, which tile in that, …, which position
// in the innermost one, and each of these digits counts row after row.
std::vector<int> TileOrder::coordinates(int slot) const {
  std::vector<int> x(shape_.dims.size(), 0);
  const std::vector<int>* outer = &shape_.dims;
  for (std::size_t level = 0; level <= tiles_.size(); ++level) {
    const bool is_innermost = level == tiles_.size();
    const int size = is_innermost ? 1 : product(tiles_[level]);
    int number = slot / size;
    slot %= size;
    for (std::size_t axis = 0; axis < x.size(); ++axis) {
      const int unit = is_innermost ? 1 : tiles_[level][axis];
      const int count = (*outer)[axis] / unit;
      x[axis] += number % count * unit;
      number /= count;
    }
    if (!is_innermost) outer = &tiles_[level];
  }
  return x;
}

int TileOrder::slot(const std::vector<int>& coordinates) const {
  int slot = 0;
  const std::vector<int>* outer = &shape_.dims;
  for (std::size_t level = 0; level <= tiles_.size(); ++level) {
    const bool is_innermost = level == tiles_.size();
    int number = 0;
    for (std::size_t axis = coordinates.size(); axis-- > 0;) {
      const int unit = is_innermost ? 1 : tiles_[level][axis];
      number = number * ((*outer)[axis] / unit) + coordinates[axis] % (*outer)[axis] / unit;
    }
    slot += number * (is_innermost ? 1 : product(tiles_[level]));
    if (!is_innermost) outer = &tiles_[level];
  }
  return slot;
}

std::string TileOrder::describe() const {
  std::string text = "tiles of " + to_text(tiles_.front());
  for (std::size_t level = 1; level < tiles_.size(); ++level) {
    text += ", in them " + to_text(tiles_[level]);
  }
  return text;
}

}  // namespace cartwright::mapping
