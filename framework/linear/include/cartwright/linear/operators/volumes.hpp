// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cartwright/grid/field/field.hpp>
#include <cartwright/grid/kernels/number_row.hpp>
#include <vector>

namespace cartwright::linear {

/// What a cell weighs in products of vectors where all cells are equal.
template <int D>
struct EqualVolumes {
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION double weighted(double value,
                                                            const grid::Index<D>& /*i*/) const {
    return value;
  }
};

/// By its volume, where cells are stretched: then -div(a grad u) is symmetric in such products
/// only. Trivially copyable, for kernels.
template <int D>
struct StretchedVolumes {
  const double* relative_width[D];  ///< in mean widths, by local coordinates

  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION double operator()(const grid::Index<D>& i) const {
    double volume = relative_width[0][i[0]];
    for (int axis = 1; axis < D; ++axis) volume *= relative_width[axis][i[axis]];
    return volume;
  }
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION double weighted(double value,
                                                            const grid::Index<D>& i) const {
    return (*this)(i)*value;
  }
};

/// The volumes of a rank's cells, where kernels run.
template <int D>
class Volumes {
 public:
  explicit Volumes(const grid::Grid<D>& grid) : are_equal_(!grid.is_stretched()) {
    const grid::Block block = grid.block(grid::Centring::cell);
    for (int axis = 0; !are_equal_ && axis < D; ++axis) {
      const auto a = static_cast<std::size_t>(axis);
      std::vector<double> widths;
      for (long long cell = block.start[a]; cell < block.start[a] + block.count[a]; ++cell)
        widths.push_back(grid.description().relative_width(axis, grid::Centring::cell, cell));
      relative_width_[a].assign(widths);
    }
  }
  [[nodiscard]] bool are_equal() const { return are_equal_; }
  [[nodiscard]] StretchedVolumes<D> stretched() const {
    StretchedVolumes<D> volumes{};
    for (int axis = 0; axis < D; ++axis)
      volumes.relative_width[axis] = relative_width_[static_cast<std::size_t>(axis)].data();
    return volumes;
  }
  /// `body(volumes)` with one of the two above: so equal cells cost nothing.
  template <class Body>
  // NOLINTNEXTLINE(modernize-use-nodiscard): bodies without a value, too
  auto with(const Body& body) const {
    return are_equal_ ? body(EqualVolumes<D>{}) : body(stretched());
  }

 private:
  bool are_equal_;
  std::array<grid::NumberRow, static_cast<std::size_t>(D)> relative_width_;
};

}  // namespace cartwright::linear
