// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/linear/hypre/hypre_system.hpp>
#include <cartwright/linear/operators/diffusion.hpp>
#include <cstddef>
#include <vector>

namespace cartwright::linear {

/// A cycle of hypre's multigrid for a Diffusion.
template <int D, bool variable>
class HypreCycle {
 public:
  using Values = Field<double, D>;

  /// Collective. `a` must outlive it; a.set(…) is heeded.
  HypreCycle(Diffusion<D, variable>& a, MultigridKind kind)
      : a_(a),
        cells_(cells_of(a.grid())),
        system_(a.grid().comm().communicator(), cells_, kind, a.is_singular()),
        r_(cells_.number()),
        z_(cells_.number()) {
    note_volumes();
  }

  /// Collective. z = M r.
  void apply(Values& z, const Values& r) {
    if (version_ != a_.version()) {
      system_.set(coefficients(r));
      version_ = a_.version();
    }
    r.copy_owned_to(std::as_writable_bytes(std::span(r_)));
    for (std::size_t cell = 0; cell < volumes_.size(); ++cell) r_[cell] *= volumes_[cell];
    system_.cycle(r_, z_);
    z.copy_owned_from(std::as_bytes(std::span<const double>(z_)));
  }

 private:
  [[nodiscard]] static HypreSystem::Cells cells_of(const Grid<D>& grid) {
    const grid::Block block = grid.block(grid::Centring::cell);
    HypreSystem::Cells cells{D, {0, 0, 0}, {1, 1, 1}, {1, 1, 1}, {}};
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(D); ++axis) {
      cells.start[axis] = block.start[axis];
      cells.count[axis] = block.count[axis];
      cells.global[axis] = block.global[axis];
      cells.periodic[axis] = grid.periodic(static_cast<int>(axis));
    }
    return cells;
  }
  /// Where cells are stretched: hypre gets equations times volumes, which are symmetric.
  void note_volumes() {
    const grid::Grid<D>& grid = a_.grid();
    if (!grid.is_stretched()) return;
    const auto width = [&](int axis, long long number) {
      const auto at = static_cast<std::size_t>(axis);
      return grid.description().relative_width(axis, grid::Centring::cell,
                                               cells_.start[at] + number % cells_.count[at]);
    };
    for (long long number = 0; number < static_cast<long long>(cells_.number()); ++number) {
      double volume = 1.0;
      long long rest = number;
      for (int axis = 0; axis < D; ++axis) {
        volume *= width(axis, rest);
        rest /= cells_.count[static_cast<std::size_t>(axis)];
      }
      volumes_.push_back(volume);
    }
  }
  [[nodiscard]] std::vector<double> coefficients(const Values& any) const {
    const auto kernel = a_.kernel();
    const auto view = any.view();
    const Box<D> owned = any.owned();
    std::vector<double> result;
    result.reserve(cells_.number() * (2 * D + 1));
    for (long long number = 0; number < owned.size(); ++number) {
      const Index<D> i = grid::point_of(owned, number);
      result.push_back(kernel.diagonal(view, i));
      for (int axis = 0; axis < D; ++axis) {
        double low = kernel.axis[axis].lower[i[axis]], high = kernel.axis[axis].upper[i[axis]];
        if constexpr (variable) {
          low *= kernel.face[axis](i);
          high *= kernel.face[axis](i.shifted(axis, 1));
        }
        result.push_back(-low);
        result.push_back(-high);
      }
    }
    constexpr std::size_t entries = 2 * D + 1;
    for (std::size_t cell = 0; cell < volumes_.size(); ++cell)
      for (std::size_t entry = 0; entry < entries; ++entry)
        result[cell * entries + entry] *= volumes_[cell];
    return result;
  }

  Diffusion<D, variable>& a_;
  HypreSystem::Cells cells_;
  HypreSystem system_;
  std::vector<double> volumes_;  ///< of cells, in mean ones; empty: all are equal
  std::vector<double> r_, z_;
  long long version_ = -1;
};

}  // namespace cartwright::linear
