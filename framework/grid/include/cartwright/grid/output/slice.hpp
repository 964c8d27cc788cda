// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cartwright/comm/collectives.hpp>
#include <cartwright/grid/run/field_base.hpp>
#include <cartwright/grid/run/slice_plane.hpp>
#include <cartwright/grid/space/grid_description.hpp>
#include <optional>
#include <vector>

namespace cartwright::grid {

/// A field's numbers along one or two axes, as a picture shows them.
struct Slice {
  int dimensions = 1;               ///< 1: a line, 2: a map
  std::array<int, 2> axes{0, 1};    ///< which axes run to the right and upwards
  std::array<int, 2> count{0, 1};   ///< numbers along them; the second is 1 for a 1-D field
  std::array<double, 2> lower{};    ///< where the first pixel begins
  std::array<double, 2> upper{};    ///< where the last one ends
  std::optional<SlicePlane> plane;  ///< where a 3-D field was cut
  std::vector<double> values;       ///< the right axis fastest
};

/// Collective. The slice on rank 0, an empty one elsewhere. 3-D fields are cut at `plane` (default:
/// the middle of z) through the nearest points; of fields with more than `most` points along an
/// axis of the slice, every n-th is taken; of vectors, the magnitude. Of particles a dot for each,
/// along the whole of the third axis.
[[nodiscard]] Slice gather_slice(const comm::Collectives& comm, const GridDescription& grid,
                                 const FieldBase& field, std::optional<SlicePlane> plane,
                                 std::array<int, 2> most);
[[nodiscard]] inline Slice gather_slice(const comm::Collectives& comm, const GridDescription& grid,
                                        const FieldBase& field, std::optional<SlicePlane> plane,
                                        int most) {
  return gather_slice(comm, grid, field, plane, std::array{most, most});
}

/// The axes of a grid that its slices show: to the right and upwards.
[[nodiscard]] std::array<int, 2> slice_axes(const GridDescription& grid,
                                            const std::optional<SlicePlane>& plane);

}  // namespace cartwright::grid
