// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/field/field.hpp>
#include <cartwright/linear/operators/copy.hpp>
#include <utility>

namespace cartwright::linear {

/// A linear operator that a program writes itself: `kernel(view, i)` is A(u) at i, from u's
/// neighbours and ghosts; it captures numbers and views. For the methods that need products only,
/// preconditioned by nothing or by `diagonal`.
template <int D, class KernelType>
class Stencil {
 public:
  static constexpr int dimensions = D;

  class Kernel {
   public:
    Kernel(const KernelType& kernel, double diagonal) : kernel_(kernel), diagonal_(diagonal) {}
    KOKKOS_INLINE_FUNCTION double operator()(const grid::FieldView<const double, D>& u,
                                             const grid::Index<D>& i) const {
      return kernel_(u, i);
    }
    KOKKOS_INLINE_FUNCTION double diagonal(const grid::FieldView<const double, D>& /*any*/,
                                           const grid::Index<D>& /*i*/) const {
      return diagonal_;
    }

   private:
    KernelType kernel_;
    double diagonal_;
  };

  /// For the unknown u: its conditions hold at walls. `diagonal`: what the kernel multiplies the
  /// point itself with, away from walls.
  Stencil(const grid::Field<double, D>& /*u*/, KernelType kernel, double diagonal = 1.0)
      : kernel_(std::move(kernel)), diagonal_(diagonal) {}

  [[nodiscard]] Kernel kernel() const { return {kernel_, diagonal_}; }
  [[nodiscard]] static grid::Field<double, D>& seen(grid::Field<double, D>& v) { return v; }
  [[nodiscard]] static bool is_singular() { return false; }
  /// b = f: what holds at walls is in the ghosts of u.
  static void right_side(grid::Field<double, D>& b, const grid::Field<double, D>& f,
                         double /*time*/) {
    copy(f, b);
  }

 private:
  KernelType kernel_;
  double diagonal_;
};

}  // namespace cartwright::linear
