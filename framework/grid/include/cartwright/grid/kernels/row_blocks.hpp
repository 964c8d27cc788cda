// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/space/index.hpp>
#include <cstddef>

namespace cartwright::grid {

/// The bytes of a core's own cache: of the second level, or a guess.
[[nodiscard]] std::size_t bytes_of_own_cache();

/// Fields that a kernel goes through at once, and how far it looks.
struct StencilRead {
  std::size_t bytes_of_point;  ///< of all fields together
  int reach;
};

/// Into how many blocks of rows planes of `extent` points are cut, each gone through plane by plane
/// before the next one: so that a point's neighbours across planes are still in a core's own cache
/// (Rivera and Tseng 2000). 1 where whole planes fit, or where too few rows of them would.
template <int D>
[[nodiscard]] int row_blocks(const Index<D>& extent, const StencilRead& read);

extern template int row_blocks(const Index<1>& extent, const StencilRead& read);
extern template int row_blocks(const Index<2>& extent, const StencilRead& read);
extern template int row_blocks(const Index<3>& extent, const StencilRead& read);

}  // namespace cartwright::grid
