// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/mapping/faces/grid_shape.hpp>
#include <cstddef>
#include <vector>

namespace cartwright::mapping {

/// Grid positions along serpentine strips, so that any run of consecutive slots is compact: for
/// nodes of unequal size and sizes that no tile fits (after the strips of Hunold et al. 2020). All
/// axes but `along` are divided into near-equal parts; a strip runs the whole length of `along`.
class LocalityOrder {
 public:
  /// `parts[i]`: into how many parts axis i is divided (1 … dims[i]; ignored for `along`).
  LocalityOrder(GridShape shape, std::size_t along, std::vector<int> parts);
  [[nodiscard]] std::vector<int> coordinates(int slot) const;
  [[nodiscard]] int slot(const std::vector<int>& coordinates) const;
  /// "strips along y, 2 wide".
  [[nodiscard]] std::string describe() const;

  /// Orders worth trying for nodes of about `node_size` ranks: every axis to run along, strips
  /// about as wide as a cube of that many positions. Few dozens at most, the same on every rank.
  [[nodiscard]] static std::vector<LocalityOrder> candidates(const GridShape& shape, int node_size);

 private:
  GridShape shape_;
  std::size_t along_;
  std::vector<int> parts_;
};

}  // namespace cartwright::mapping
