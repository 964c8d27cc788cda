// SPDX-License-Identifier: Apache-2.0
#include <cartwright/mapping/placement/off_node_faces.hpp>
#include <cartwright/rt/agreement.hpp>

namespace cartwright::mapping {

std::vector<long long> my_off_node_faces(const GridShape& shape, const Placement& placement,
                                         const Topology& topology) {
  const std::vector<int> here = placement.coordinates(topology);
  std::vector<long long> faces(shape.dims.size(), 0);
  for (std::size_t axis = 0; axis < shape.dims.size(); ++axis) {
    std::vector<int> next = here;
    if (shape.move(next, axis, +1) && !placement.is_on_my_node(topology, next)) faces[axis] = 1;
  }
  return faces;
}

std::vector<std::vector<long long>> off_node_faces(const rt::Communicator& comm,
                                                   const GridShape& shape,
                                                   std::span<const Placement> placements,
                                                   const Topology& topology) {
  std::vector<long long> flat;
  for (const Placement& placement : placements) {
    const auto mine = my_off_node_faces(shape, placement, topology);
    flat.insert(flat.end(), mine.begin(), mine.end());
  }
  rt::combine(comm, flat, rt::Combine::sum);
  std::vector<std::vector<long long>> sums;
  const auto dimensions = static_cast<std::ptrdiff_t>(shape.dims.size());
  for (auto first = flat.begin(); first != flat.end(); first += dimensions) {
    sums.emplace_back(first, first + dimensions);
  }
  return sums;
}

}  // namespace cartwright::mapping
