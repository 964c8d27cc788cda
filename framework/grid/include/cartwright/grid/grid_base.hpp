// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/grid/block.hpp>
#include <memory>

namespace cartwright::grid {

class Run;

/// What of a grid doesn't depend on its dimension at compile time: extents, geometry, who owns what.
class GridBase {
 public:
  GridBase(Run& run, int dimensions);
  GridBase(const GridBase&) = delete;
  GridBase& operator=(const GridBase&) = delete;
  ~GridBase();

  [[nodiscard]] Run& run() const noexcept { return run_; }
  [[nodiscard]] const comm::CartComm& comm() const noexcept { return *comm_; }
  [[nodiscard]] int dimensions() const noexcept { return dimensions_; }
  /// Cells along `axis`, of the whole grid.
  [[nodiscard]] long long extent(int axis) const noexcept { return extent_[at(axis)]; }
  /// In the deck's unit of length.
  [[nodiscard]] double length(int axis) const noexcept { return length_[at(axis)]; }
  [[nodiscard]] double origin(int axis) const noexcept { return origin_[at(axis)]; }
  [[nodiscard]] double spacing(int axis) const noexcept {
    return length_[at(axis)] / static_cast<double>(extent_[at(axis)]);
  }
  [[nodiscard]] bool periodic(int axis) const noexcept { return periodic_[at(axis)]; }
  /// This rank's points of a field with this centring. A node belongs to the rank that owns the cell
  /// above it; the last rank of a bounded axis owns the closing node too.
  [[nodiscard]] Block block(Centring centring) const noexcept;

 private:
  static std::size_t at(int axis) { return static_cast<std::size_t>(axis); }

  Run& run_;
  int dimensions_;
  std::array<long long, 3> extent_{1, 1, 1};
  std::array<double, 3> length_{1, 1, 1};
  std::array<double, 3> origin_{0, 0, 0};
  std::array<bool, 3> periodic_{false, false, false};
  std::unique_ptr<comm::CartComm> comm_;
};

}  // namespace cartwright::grid
