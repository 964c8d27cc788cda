// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/space/box.hpp>

namespace cartwright::grid {

/// A box in tiles: parts of rows, blocks of rows, and planes in as many pieces as keep all threads
/// busy.
template <int D>
struct FluxTiles {
  /// `longest`: points of a row; `rows`: of a plane, at most.
  FluxTiles(const Box<D>& points, int longest, int rows);

  [[nodiscard]] long long count() const { return parts.size(); }
  [[nodiscard]] Box<D> operator[](long long number) const;

  Box<D> box;
  int longest_segment;
  Box<D> parts;  ///< along each axis so many, from 0 on
};

extern template struct FluxTiles<1>;
extern template struct FluxTiles<2>;
extern template struct FluxTiles<3>;

}  // namespace cartwright::grid
