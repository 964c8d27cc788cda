// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "run.hpp"

namespace matmul {

struct Extents {
  long long rows = 0, inner = 0, columns = 0;
  /// A multiplication and an addition for each.
  [[nodiscard]] double operations() const {
    return 2.0 * static_cast<double>(rows) * static_cast<double>(inner) *
           static_cast<double>(columns);
  }
};

/// Collective. From the deck and the files that it names; throws an input error (all ranks) where
/// they contradict each other.
[[nodiscard]] Extents extents_of(cartwright::rt::Runtime& runtime, const Options& options);

/// Ranks along the columns (axis 0) and along the rows (axis 1): as the deck says, else the grid
/// that moves the least of A and B.
[[nodiscard]] std::vector<int> process_grid(int ranks, const Extents& extents,
                                            const Request& request);

/// Elements that cross a face between ranks along each axis: A's rows along axis 0, B's columns
/// along axis 1.
[[nodiscard]] std::vector<double> weights_of_faces(const std::vector<int>& dims,
                                                   const Extents& extents);

/// Bytes of operands, product and the buffers of the algorithm on the rank that has the most.
[[nodiscard]] double bytes_of_rank(const std::vector<int>& dims, const Extents& extents,
                                   const Options& options);

}  // namespace matmul
