// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/linear/operators/diffusion.hpp>
#include <cartwright/linear/operators/walls.hpp>
#include <cartwright/linear/solve/iteration.hpp>
#include <cmath>
#include <limits>

namespace cartwright::linear {

/// The derivative of a residual F at some u, by differences: A v = (F(u + h v) - F(u)) / h. What
/// Newton's method solves with. `Residual`: `F(view, i)`, from a point's neighbours and ghosts.
template <int D, bool variable, class Residual>
class Jacobian {
 public:
  static constexpr int dimensions = D;
  using Values = Field<double, D>;

  class Kernel {
   public:
    Kernel(const Residual& residual, const FieldView<const double, D>& value, double step,
           const DiffusionKernel<D, variable>& about)
        : residual_(residual), value_(value), inverse_step_(1.0 / step), about_(about) {}
    KOKKOS_INLINE_FUNCTION double operator()(const FieldView<const double, D>& varied,
                                             const Index<D>& i) const {
      return (residual_(varied, i) - value_(i)) * inverse_step_;
    }
    KOKKOS_INLINE_FUNCTION double diagonal(const FieldView<const double, D>& any,
                                           const Index<D>& i) const {
      return about_.diagonal(any, i);
    }

   private:
    Residual residual_;
    FieldView<const double, D> value_;
    double inverse_step_;
    DiffusionKernel<D, variable> about_;
  };

  /// `about` is near the derivative: it preconditions. Collective.
  Jacobian(Values& u, Diffusion<D, variable>& about, const Residual& residual)
      : about_(about),
        residual_(residual),
        u_(companion_of(u, "point of the derivative")),
        value_(companion_of(u, "value of the residual")),
        varied_(companion_of(u, "varied values")) {}

  /// Collective. The derivative at u from now on, for boundary values at `time`; the norm of F(u),
  /// and what of that is rounding.
  [[nodiscard]] Start move(Values& u, const Residual& residual, double time) {
    residual_ = residual;
    const auto in = u.view().reading();
    const auto here = u_.view(), out = value_.view();
    const auto about = about_.kernel();
    Vector<double, 3> sums{};
    grid::exchange(u).at(time).overlap(
        KOKKOS_LAMBDA(const Index<D>& i, Vector<double, 3>& sum) {
          const double value = residual(in, i), size = about.diagonal(in, i) * in(i);
          here(i) = in(i);
          out(i) = value;
          sum[0] += value * value;
          sum[1] += size * size;
          sum[2] += in(i)*in(i);
        },
        Sum(sums));
    size_ = std::sqrt(sums[2]);
    return {std::sqrt(sums[0]), 4 * std::numeric_limits<double>::epsilon() * std::sqrt(sums[1])};
  }
  /// F(u).
  [[nodiscard]] Values& value() { return value_; }

  [[nodiscard]] Kernel kernel() const { return {residual_, value_.view(), step_, about_.kernel()}; }
  /// Collective. u + h v, with h as large as differences like it (Brown and Saad 1990).
  [[nodiscard]] Values& seen(Values& v) {
    const double length = std::sqrt(grid::dot(v, v));
    const double small = std::sqrt(std::numeric_limits<double>::epsilon());
    const auto points = static_cast<double>(v.block().global_points());
    step_ = length > 0.0 ? small * (size_ + small * std::sqrt(points)) / length : 1.0;
    const double step = step_;
    const auto from = u_.view(), along = v.view(), to = varied_.view();
    grid::for_each(
        v, KOKKOS_LAMBDA(const Index<D>& i) { to(i) = from(i) + step * along(i); });
    return varied_;
  }
  [[nodiscard]] Diffusion<D, variable>& diffusion() const { return about_; }
  [[nodiscard]] static bool is_singular() { return false; }
  static void right_side(Values& b, const Values& f, double /*time*/) { copy(f, b); }

 private:
  Diffusion<D, variable>& about_;
  Residual residual_;
  Values u_, value_, varied_;
  double size_ = 0.0, step_ = 1.0;
};

}  // namespace cartwright::linear
