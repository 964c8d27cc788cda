// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cartwright/mapping/search/position_orders.hpp>
#include <cstdint>
#include <numeric>
#include <utility>

namespace cartwright::mapping {

namespace {

struct Box {
  std::vector<int> first, extent;
  [[nodiscard]] long long size() const {
    return std::accumulate(extent.begin(), extent.end(), 1LL, std::multiplies<>());
  }
};

Box whole(const GridShape& shape) {
  return {std::vector<int>(shape.dims.size(), 0), shape.dims};
}

/// The two boxes below and above a plane at `offset` positions along `axis`.
std::pair<Box, Box> cut(const Box& box, std::size_t axis, int offset) {
  std::pair<Box, Box> halves{box, box};
  halves.first.extent[axis] = offset;
  halves.second.first[axis] += offset;
  halves.second.extent[axis] -= offset;
  return halves;
}

/// Axes in the order in which they should be cut: the one with the cheapest plane first.
std::vector<std::size_t> axes_to_cut(const Box& box, const std::vector<double>& weights) {
  std::vector<std::size_t> axes(box.extent.size());
  std::iota(axes.begin(), axes.end(), std::size_t{0});
  const auto plane = [&](std::size_t axis) {
    return (weights.empty() ? 1.0 : weights[axis]) / box.extent[axis];
  };
  std::stable_sort(axes.begin(), axes.end(),
                   [&](std::size_t a, std::size_t b) { return plane(a) < plane(b); });
  return axes;
}

/// Rows along the longest axis, the others slower, each row back where the last one ended.
void append_rows(const GridShape& shape, const Box& box, const std::vector<double>& weights,
                 std::vector<int>& order) {
  const auto axes = axes_to_cut(box, weights);  // longest first
  std::vector<int> x = box.first;
  const long long size = box.size();
  for (long long i = 0; i < size; ++i) {
    long long unit = size;
    long long rest = i;
    long long walk = 0;
    // Filling across the short axes first keeps what one node gets compact.
    for (const std::size_t axis : axes) {
      unit /= box.extent[axis];
      const auto step = static_cast<int>(rest / unit);
      rest %= unit;
      const bool back = walk % 2 != 0;
      x[axis] = box.first[axis] + (back ? box.extent[axis] - 1 - step : step);
      walk = walk * box.extent[axis] + step;
    }
    order.push_back(shape.rank_of(x));
  }
}

/// The offset nearest to the middle of `axis` at which both sides hold whole nodes; 0 if none does.
int even_cut(const Box& box, std::size_t axis, int node_size) {
  const long long plane = box.size() / box.extent[axis];
  const int middle = box.extent[axis] / 2;
  for (int offset = middle; offset >= 1; --offset) {
    if (plane * offset % node_size == 0) return offset;
  }
  return 0;
}

void cut_by_planes(const GridShape& shape, const Box& box, int node_size,
                   const std::vector<double>& weights, std::vector<int>& order) {
  if (box.size() > node_size) {
    for (const std::size_t axis : axes_to_cut(box, weights)) {
      const int offset = even_cut(box, axis, node_size);
      if (offset == 0) continue;
      const auto halves = cut(box, axis, offset);
      cut_by_planes(shape, halves.first, node_size, weights, order);
      cut_by_planes(shape, halves.second, node_size, weights, order);
      return;
    }
  }
  append_rows(shape, box, weights, order);
}

void halve(const GridShape& shape, const Box& box, const std::vector<double>& weights,
           std::vector<int>& order) {
  if (box.size() == 1) {
    order.push_back(shape.rank_of(box.first));
    return;
  }
  const std::size_t axis = axes_to_cut(box, weights).front();
  if (box.extent[axis] == 1) {  // weights prefer an axis that can't be cut
    append_rows(shape, box, weights, order);
    return;
  }
  const auto halves = cut(box, axis, box.extent[axis] / 2);
  halve(shape, halves.first, weights, order);
  halve(shape, halves.second, weights, order);
}

/// The place of a position on Hilbert's curve of `bits` bits an axis (after Skilling 2004): `x` is
/// turned into the transposed index, whose bits interleave to the place.
std::vector<std::uint32_t> hilbert_place(std::vector<std::uint32_t> x, int bits) {
  const std::size_t d = x.size();
  for (std::uint32_t q = 1U << static_cast<unsigned>(bits - 1); q > 1; q >>= 1U) {
    const std::uint32_t p = q - 1;
    for (std::size_t i = 0; i < d; ++i) {
      if ((x[i] & q) != 0) {
        x[0] ^= p;
      } else {
        const std::uint32_t t = (x[0] ^ x[i]) & p;
        x[0] ^= t;
        x[i] ^= t;
      }
    }
  }
  for (std::size_t i = 1; i < d; ++i) x[i] ^= x[i - 1];
  std::uint32_t t = 0;
  for (std::uint32_t q = 1U << static_cast<unsigned>(bits - 1); q > 1; q >>= 1U) {
    if ((x[d - 1] & q) != 0) t ^= q - 1;
  }
  for (auto& entry : x) entry ^= t;
  std::vector<std::uint32_t> place;  // bit by bit, the highest first
  for (int bit = bits - 1; bit >= 0; --bit) {
    for (const auto entry : x) place.push_back(entry >> static_cast<unsigned>(bit) & 1U);
  }
  return place;
}

}  // namespace

std::vector<int> hyperplane_order(const GridShape& shape, int node_size,
                                  const std::vector<double>& weights) {
  std::vector<int> order;
  cut_by_planes(shape, whole(shape), node_size, weights, order);
  return order;
}

std::vector<int> kd_order(const GridShape& shape, const std::vector<double>& weights) {
  std::vector<int> order;
  halve(shape, whole(shape), weights, order);
  return order;
}

std::vector<int> hilbert_order(const GridShape& shape) {
  const int longest = *std::max_element(shape.dims.begin(), shape.dims.end());
  const int bits =
      std::max(1, static_cast<int>(std::bit_width(static_cast<unsigned>(longest - 1))));
  std::vector<std::pair<std::vector<std::uint32_t>, int>> places;
  for (int position = 0; position < shape.size(); ++position) {
    const auto coordinates = shape.coordinates_of(position);
    std::vector<std::uint32_t> x;  // along axes with more than one position
    for (std::size_t axis = 0; axis < shape.dims.size(); ++axis) {
      if (shape.dims[axis] > 1) x.push_back(static_cast<std::uint32_t>(coordinates[axis]));
    }
    places.emplace_back(x.empty() ? x : hilbert_place(std::move(x), bits), position);
  }
  std::sort(places.begin(), places.end());
  std::vector<int> order;
  order.reserve(places.size());
  for (const auto& [place, position] : places) order.push_back(position);
  return order;
}

}  // namespace cartwright::mapping
