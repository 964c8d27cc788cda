// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/field/field_view.hpp>
#include <cartwright/grid/space/vector.hpp>
#include <cstddef>

namespace cartwright::linear {

using grid::FieldView;
using grid::Index;
using grid::Vector;

/// A(u) = -div(a grad u) + c u at one point, corrections being meant: at walls their value (or
/// derivative) is 0, which is in the coefficients, so that ghosts beyond walls don't matter.
/// Trivially copyable. `variable`: a differs from face to face; else it is in the coefficients.
template <int D, bool variable>
struct DiffusionKernel {
  static constexpr bool is_constant = !variable;

  struct Axis {
    const double *lower, *upper, *lower_centre, *upper_centre, *centre;
  };

  /// One row of points: all that doesn't depend on x is known. A(u) = centre u - neighbours.
  class Row {
   public:
    KOKKOS_FORCEINLINE_FUNCTION Row(const DiffusionKernel& kernel,
                                    const FieldView<const double, D>& u, Index<D> i)
        : x_(kernel.axis[0]), outer_centre_(kernel.reaction) {
      i[0] = 0;
      u_ = &u(i);
      for (int axis = 0; axis < D; ++axis) {
        stride_[axis] = u.stride(axis);
        if constexpr (variable) {
          low_face_[axis] = &kernel.face[axis](i);
          high_face_[axis] = &kernel.face[axis](i.shifted(axis, 1));
        }
        if (axis == 0) continue;
        const Axis& of = kernel.axis[axis];
        lower_[axis] = of.lower[i[axis]];
        upper_[axis] = of.upper[i[axis]];
        if constexpr (variable) {
          lower_centre_[axis] = of.lower_centre[i[axis]];
          upper_centre_[axis] = of.upper_centre[i[axis]];
        } else {
          outer_centre_ += of.centre[i[axis]];
        }
      }
    }

    [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION double neighbours(int x) const {
      return neighbours(x, x_.lower[x], x_.upper[x]);
    }
    [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION double neighbours(int x, double low,
                                                                double high) const {
      if constexpr (variable) low *= low_face_[0][x], high *= high_face_[0][x];
      double sum = low * u_[x - 1] + high * u_[x + 1];
      for (int axis = 1; axis < D; ++axis) {
        low = lower_[axis];
        high = upper_[axis];
        if constexpr (variable) low *= low_face_[axis][x], high *= high_face_[axis][x];
        sum += low * u_[x - stride_[axis]] + high * u_[x + stride_[axis]];
      }
      return sum;
    }
    [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION double centre(int x) const {
      if constexpr (!variable) return x_.centre[x] + outer_centre_;
      double sum = outer_centre_ +
                   (x_.lower_centre[x] * low_face_[0][x] + x_.upper_centre[x] * high_face_[0][x]);
      for (int axis = 1; axis < D; ++axis)
        sum += lower_centre_[axis] * low_face_[axis][x] + upper_centre_[axis] * high_face_[axis][x];
      return sum;
    }
    [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION double operator()(int x) const {
      return centre(x) * u_[x] - neighbours(x);
    }

   private:
    Axis x_;
    const double* u_;
    const double *low_face_[D], *high_face_[D];
    std::ptrdiff_t stride_[D];
    double lower_[D], upper_[D], lower_centre_[D], upper_centre_[D];
    double outer_centre_;
  };

  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION Row row(const FieldView<const double, D>& u,
                                                    const Index<D>& i) const {
    return Row(*this, u, i);
  }
  /// A(u) at i.
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION double operator()(const FieldView<const double, D>& u,
                                                              const Index<D>& i) const {
    return Row(*this, u, i)(i[0]);
  }
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION double diagonal(const FieldView<const double, D>& any,
                                                            const Index<D>& i) const {
    return Row(*this, any, i).centre(i[0]);
  }

  Axis axis[D];
  int alike_begin, alike_end;  ///< cells along x whose coefficients are equal
  double reaction;
  // NOLINTNEXTLINE(bugprone-branch-clone): of one dimension
  FieldView<const double, D> face[variable ? D : 1];  ///< of axis a: between i - 1 and i
};

}  // namespace cartwright::linear
