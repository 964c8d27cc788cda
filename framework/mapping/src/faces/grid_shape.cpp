// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cartwright/mapping/faces/grid_shape.hpp>
#include <limits>

namespace cartwright::mapping {

long long GridShape::size() const noexcept {
  long long product = 1;
  for (const int extent : dims) {
    if (__builtin_mul_overflow(product, static_cast<long long>(extent), &product)) {
      return std::numeric_limits<long long>::max();
    }
  }
  return product;
}

int GridShape::rank_of(const std::vector<int>& coordinates) const noexcept {
  int rank = 0;
  for (std::size_t axis = dims.size(); axis-- > 0;) rank = rank * dims[axis] + coordinates[axis];
  return rank;
}

std::vector<int> GridShape::coordinates_of(int rank) const {
  std::vector<int> coordinates(dims.size());
  for (std::size_t axis = 0; axis < dims.size(); ++axis) {
    coordinates[axis] = rank % dims[axis];
    rank /= dims[axis];
  }
  return coordinates;
}

bool GridShape::move(std::vector<int>& coordinates, std::size_t axis, int offset) const {
  const long long extent = dims[axis];
  const long long target = coordinates[axis] + static_cast<long long>(offset);
  const bool inside = target >= 0 && target < extent;
  if (!inside && !periodic[axis]) return false;
  coordinates[axis] = static_cast<int>(((target % extent) + extent) % extent);
  return true;
}

long long GridShape::faces() const noexcept {
  const long long ranks = size();
  long long faces = 0;
  for (std::size_t axis = 0; axis < dims.size(); ++axis) {
    if (dims[axis] > 1) faces += periodic[axis] ? ranks : ranks - ranks / dims[axis];
  }
  return faces;
}

std::string to_text(const std::vector<int>& dims) {
  return fmt::format("{}", fmt::join(dims, " x "));
}

}  // namespace cartwright::mapping
