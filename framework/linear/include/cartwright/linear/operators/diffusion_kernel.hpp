// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/field/field_view.hpp>
#include <cartwright/grid/kernels/pack.hpp>
#include <cartwright/grid/space/vector.hpp>
#include <cstddef>

namespace cartwright::linear {

using grid::FieldView;
using grid::Index;
using grid::Vector;

/// The number at `place`, or a pack of those from there on.
template <class Number>
[[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION Number numbers_at(const double* place) {
  return *place;
}
#ifdef CARTWRIGHT_PACKS
using RowPack = grid::PackOf<grid::points_of_vector>;
template <>
[[nodiscard]] inline RowPack numbers_at<RowPack>(const double* place) {
  return {place, std::experimental::element_aligned};
}
#endif

/// What a table along x has at the point x, or at a pack of points from there on; or what all have.
template <class Number>
[[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION Number entry(const double* table, int x) {
  return numbers_at<Number>(table + x);
}
template <class Number>
[[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION Number entry(double of_all, int /*x*/) {
  return of_all;
}

/// A(u) = -div(a grad u) + c u at one point, corrections being meant: at walls their value (or
/// derivative) is 0, which is in the coefficients, so that ghosts beyond walls don't matter.
/// Trivially copyable. `variable`: a differs from face to face; else it is in the coefficients.
template <int D, bool variable>
struct DiffusionKernel {
  template <class Coefficient>
  struct Coefficients {
    Coefficient lower, upper, lower_centre, upper_centre, centre;
  };
  using Axis = Coefficients<const double*>;  ///< tables
  using Alike = Coefficients<double>;        ///< the same for all cells

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

    /// Of the point at x, or of a pack of points from there on. `along_x`: Axis or Alike.
    template <class Number, class AlongX>
    [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION Number neighbours(int x,
                                                                const AlongX& along_x) const {
      auto low = entry<Number>(along_x.lower, x), high = entry<Number>(along_x.upper, x);
      const auto weigh = [&](int axis) {
        if constexpr (variable) {
          low *= numbers_at<Number>(low_face_[axis] + x);
          high *= numbers_at<Number>(high_face_[axis] + x);
        }
      };
      weigh(0);
      Number sum = low * numbers_at<Number>(u_ + x - 1) + high * numbers_at<Number>(u_ + x + 1);
      for (int axis = 1; axis < D; ++axis) {
        low = lower_[axis];
        high = upper_[axis];
        weigh(axis);
        sum += low * numbers_at<Number>(u_ + x - stride_[axis]) +
               high * numbers_at<Number>(u_ + x + stride_[axis]);
      }
      return sum;
    }
    template <class Number, class AlongX>
    [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION Number centre(int x, const AlongX& along_x) const {
      if constexpr (!variable) {
        return entry<Number>(along_x.centre, x) + outer_centre_;
      } else {
        Number sum =
            outer_centre_ +
            (entry<Number>(along_x.lower_centre, x) * numbers_at<Number>(low_face_[0] + x) +
             entry<Number>(along_x.upper_centre, x) * numbers_at<Number>(high_face_[0] + x));
        for (int axis = 1; axis < D; ++axis)
          sum += lower_centre_[axis] * numbers_at<Number>(low_face_[axis] + x) +
                 upper_centre_[axis] * numbers_at<Number>(high_face_[axis] + x);
        return sum;
      }
    }
    template <class Number = double>
    [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION Number neighbours(int x) const {
      return neighbours<Number>(x, x_);
    }
    template <class Number = double>
    [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION Number centre(int x) const {
      return centre<Number>(x, x_);
    }
    [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION double operator()(int x) const {
      return centre(x) * u_[x] - neighbours(x);
    }
    [[nodiscard]] const Axis& tables() const { return x_; }
    /// Of cells whose coefficients along x are those of the one at x.
    [[nodiscard]] Alike alike(int x) const {
      return {x_.lower[x], x_.upper[x], x_.lower_centre[x], x_.upper_centre[x], x_.centre[x]};
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
