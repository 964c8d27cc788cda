// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "field_numbers.hpp"

namespace cartwright::grid {

/// Owned points of a field in host memory, all of their components, in memory order.
struct CopiedPart {
  std::span<const std::byte> bytes;
  OwnedPart part;
  long long first;  ///< the number of the first of these points among all
};

/// Calls `visit(part, number of its first point)` for planes of the points in memory order, or for
/// rows of a plane, or pieces of a row: about as many points as a core's own cache holds.
template <class Visit>
void visit_parts(const std::array<long long, 3>& points, OwnedPart part, const Visit& visit) {
  long long room = 1LL << 16U;
  std::array<long long, 3> most{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (points[axis] == 0) return;
    most[axis] = std::clamp(room, 1LL, points[axis]);
    room = most[axis] == points[axis] ? room / points[axis] : 1;
  }
  auto& [x, y, z] = part.first;
  for (z = 0; z < points[2]; z += part.count[2])
    for (y = 0; y < points[1]; y += part.count[1])
      for (x = 0; x < points[0]; x += part.count[0]) {
        for (std::size_t axis = 0; axis < 3; ++axis)
          part.count[axis] = std::min(most[axis], points[axis] - part.first[axis]);
        visit(part, (z * points[1] + y) * points[0] + x);
      }
}

/// Calls `visit` with a CopiedPart for parts that make up all owned points of `field`, in memory
/// order: a part is valid until the next one. Collective for particles, which are copied whole.
template <class Visit>
void visit_copied_parts(const FieldBase& field, const Visit& visit) {
  std::vector<std::byte> bytes;
  const auto copy = [&](const OwnedPart& part, long long first) {
    bytes.resize(static_cast<std::size_t>(part.points()) * field.element().bytes());
    field.copy_part_to(bytes, part);
    visit(CopiedPart{bytes, part, first});
  };
  if (field.positions() != nullptr)
    copy(whole_part(field), 0);
  else
    visit_parts(field.block().count, whole_part(field), copy);
}

}  // namespace cartwright::grid
