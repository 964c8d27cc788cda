// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/field/block_matrix.hpp>

namespace cartwright::grid {

/// Collective. Copies a matrix into one of the same shape, on the same communicator, with other
/// distributions. T: float or double.
template <class T>
void redistribute(const BlockMatrix<T>& from, BlockMatrix<T>& to);

}  // namespace cartwright::grid
