// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/output/slice.hpp>

namespace cartwright::grid {

/// Collective. Particles as a picture shows them: a dot for each, of its attribute's number (of
/// vectors, the magnitude), seen along the axis that slices are cut across; what is no dot is no
/// number. Where dots cover each other, the one with the highest identity is seen. On rank 0, empty
/// elsewhere.
[[nodiscard]] Slice gather_dots(const comm::Collectives& comm, const GridDescription& grid,
                                const FieldBase& attribute, const std::optional<SlicePlane>& plane);

}  // namespace cartwright::grid
