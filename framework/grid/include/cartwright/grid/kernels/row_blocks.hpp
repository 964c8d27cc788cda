// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/space/index.hpp>
#include <cstddef>

namespace cartwright::grid {

/// Fields that a kernel goes through at once, and how far it looks.
struct StencilRead {
  std::size_t bytes_of_point;  ///< of all fields together
  int reach;
  std::size_t room;  ///< bytes of a cache, for these fields and the one that is written
};

/// The part of a core's own cache, or of all that it has a share of, in which planes shall stay
/// until their neighbours were gone through. Values that are stored past the caches leave the next
/// level to what is read; such a step gains where planes are near
/// (docs/evidence/2026-11-27_rows_and_caches). For others see SweepTrial. What remains is for
/// whatever else a kernel reads.
[[nodiscard]] std::size_t room_for_planes(bool in_own_cache);

/// Into how many blocks of rows planes of `extent` points are cut, each gone through plane by plane
/// before the next one: so that a point's neighbours across planes are still in a cache
/// (Rivera and Tseng 2000). 1 where whole planes fit, or where too few rows of them would.
template <int D>
[[nodiscard]] int row_blocks(const Index<D>& extent, const StencilRead& read);

extern template int row_blocks(const Index<1>& extent, const StencilRead& read);
extern template int row_blocks(const Index<2>& extent, const StencilRead& read);
extern template int row_blocks(const Index<3>& extent, const StencilRead& read);

}  // namespace cartwright::grid
