// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/field/field.hpp>
#include <cartwright/grid/field/pack_view.hpp>
#include <string>
#include <vector>

namespace cartwright::grid {

/// What kernels see of a Staggered: `u[axis](i)` is what flows through the face at the low end of
/// cell i across that axis.
template <class T, int D>
struct StaggeredView {
  FieldView<T, D> part[D];
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION const FieldView<T, D>& operator[](int axis) const {
    return part[axis];
  }
  /// The same storage, to be read only.
  [[nodiscard]] StaggeredView<const T, D> reading() const {
    StaggeredView<const T, D> result;
    for (int axis = 0; axis < D; ++axis) result.part[axis] = part[axis].reading();
    return result;
  }
};
/// The same for kernels that run in_packs(): see PackView.
template <class T, int D>
struct StaggeredPackView {
  PackView<T, D> part[D];
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION const PackView<T, D>& operator[](int axis) const {
    return part[axis];
  }
  /// The same storage, to be read only.
  [[nodiscard]] StaggeredPackView<const T, D> reading() const {
    StaggeredPackView<const T, D> result;
    for (int axis = 0; axis < D; ++axis) result.part[axis] = part[axis].reading();
    return result;
  }
};

/// A vector field whose components live on the faces across their own axes (Harlow and Welch 1965),
/// as incompressible flow wants it: D fields, called NAME_x, NAME_y…, with boundary conditions of
/// their own. Goes where fields go: run.initialize, run.steps, exchange.
template <class T, int D>
class Staggered {
 public:
  /// Collective. `options` but for the centring.
  Staggered(Grid<D>& grid, const std::string& name, FieldOptions options = {}) {
    for (int axis = 0; axis < D; ++axis) {
      options.centring = on_faces(axis);
      parts_.emplace_back(grid, name + "_" + static_cast<char>('x' + axis), options);
    }
  }
  Staggered(const Staggered&) noexcept(refused::FieldInKernel<T>::value);
  Staggered& operator=(const Staggered&) = delete;
  Staggered(Staggered&&) noexcept = default;
  Staggered& operator=(Staggered&&) noexcept = default;
  ~Staggered() = default;
  /// Collective. As Field::like().
  [[nodiscard]] Staggered like() const {
    Staggered other;
    for (const Field<T, D>& part : parts_) other.parts_.push_back(part.like());
    return other;
  }

  [[nodiscard]] Field<T, D>& operator[](int axis) { return parts_[static_cast<std::size_t>(axis)]; }
  [[nodiscard]] const Field<T, D>& operator[](int axis) const {
    return parts_[static_cast<std::size_t>(axis)];
  }
  [[nodiscard]] std::vector<Field<T, D>>& parts() noexcept { return parts_; }

  [[nodiscard]] StaggeredView<T, D> view() {
    StaggeredView<T, D> result;
    for (int axis = 0; axis < D; ++axis) result.part[axis] = (*this)[axis].view();
    return result;
  }
  friend void swap(Staggered& a, Staggered& b) noexcept {
    for (int axis = 0; axis < D; ++axis) swap(a[axis], b[axis]);
  }

 private:
  Staggered() = default;
  std::vector<Field<T, D>> parts_;
};

/// For kernels that in_packs() runs: as `u.view()`.
template <class T, int D>
[[nodiscard]] StaggeredPackView<T, D> packs(Staggered<T, D>& u) {
  StaggeredPackView<T, D> result;
  for (int axis = 0; axis < D; ++axis) result.part[axis] = packs(u[axis]);
  return result;
}

/// Calls `body(cells)` with what differences between the components of `u` and fields in the middle
/// of its cells need to know: `cells[axis]` is for u[axis], `cells.middle()` for the others.
template <class T, int D, class Body>
void with_cells(const Staggered<T, D>& u, const Body& body) {
  const Grid<D>& grid = u[0].typed_grid();
  if (!grid.is_stretched()) return body(EqualStaggeredCells<D>{});
  StretchedStaggeredCells<D> cells{};
  for (int axis = 0; axis < D; ++axis) cells.faces[axis] = grid.stretched_cells(on_faces(axis));
  cells.middles = grid.stretched_cells(Centring::cell);
  body(cells);
}

}  // namespace cartwright::grid
