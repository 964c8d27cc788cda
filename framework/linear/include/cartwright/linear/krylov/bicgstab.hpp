// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cartwright/grid/field/dot.hpp>
#include <cartwright/linear/krylov/preconditioning.hpp>
#include <cartwright/linear/operators/walls.hpp>

namespace cartwright::linear {

/// BiCGStab (van der Vorst 1992), preconditioned from the right: for operators that aren't
/// symmetric. Two products an iteration.
template <class Operator>
class BiCgStab final : public Iteration<Operator::dimensions> {
 public:
  static constexpr int D = Operator::dimensions;
  using Values = Field<double, D>;

  BiCgStab(Operator& a, Values& u, const Options& options)
      : a_(a),
        inverse_(a, options),
        r_(companion_of(u, "residual")),
        shadow_(correction_of(u, "shadow residual")),
        p_(correction_of(u, "direction")),
        v_(correction_of(u, "product")),
        t_(correction_of(u, "second product")),
        y_(correction_of(u, "preconditioned direction")),
        z_(correction_of(u, "preconditioned residual")) {}

  [[nodiscard]] Start begin(Values& u, const Values& f, double time) override {
    time_ = time;
    a_.right_side(r_, f, time);
    const Start start = subtract_product<D>(a_, u, r_, time);
    const auto r = r_.view(), shadow = shadow_.view(), p = p_.view();
    grid::for_each(
        r_, KOKKOS_LAMBDA(const Index<D>& i) { shadow(i) = p(i) = r(i); });
    rho() = start.residual * start.residual;
    return start;
  }

  [[nodiscard]] double iterate(Values& u, double enough) override {
    inverse_.apply(y_, p_);
    const double alpha = rho() / nonzero(product(y_, v_, shadow_)[0]);
    const double half = subtract(alpha, v_);
    const auto to = u.view(), y = y_.view(), z = z_.view();
    if (half <= enough) {
      grid::for_each(
          u, KOKKOS_LAMBDA(const Index<D>& i) { to(i) += alpha * y(i); });
      return half;
    }
    inverse_.apply(z_, r_);
    const Vector<double, 2> sums = product(z_, t_, r_);
    const double omega = sums[0] / nonzero(sums[1]);
    grid::for_each(
        u, KOKKOS_LAMBDA(const Index<D>& i) { to(i) += alpha * y(i) + omega * z(i); });
    const double norm = subtract(omega, t_);
    if (norm <= enough) return norm;
    turn(alpha, omega);
    return norm;
  }

  [[nodiscard]] std::vector<Values*> fields() override { return {&r_, &shadow_, &p_}; }
  [[nodiscard]] std::span<double> numbers() override { return numbers_; }

  // Public: nvcc takes no kernels from private functions.
  [[nodiscard]] double& rho() { return numbers_[0]; }
  [[nodiscard]] static double nonzero(double divisor) {
    if (divisor == 0.0)
      throw rt::numerical_failure("bicgstab breaks down: two vectors are orthogonal by chance",
                                  "Start from other values, or try another method.",
                                  rt::Reach::all_ranks);
    return divisor;
  }
  /// out = A in; returns out · with and out · out.
  [[nodiscard]] Vector<double, 2> product(Values& in, Values& out, const Values& with) {
    Values& seen = a_.seen(in);
    const auto a = a_.kernel();
    const auto from = seen.view().reading();
    const auto to = out.view();
    const auto other = with.view();
    Vector<double, 2> sums{};
    grid::exchange(seen).at(time_).overlap(
        KOKKOS_LAMBDA(const Index<D>& i, Vector<double, 2>& sum) {
          const double value = a(from, i);
          to(i) = value;
          sum[0] += value * other(i);
          sum[1] += value * value;
        },
        Sum(sums));
    return sums;
  }
  /// r -= factor * from; returns its norm.
  [[nodiscard]] double subtract(double factor, const Values& from) {
    const auto r = r_.view();
    const auto other = from.view();
    double size = 0.0;
    grid::reduce(
        r_,
        KOKKOS_LAMBDA(const Index<D>& i, double& sum) {
          const double value = r(i) - factor * other(i);
          r(i) = value;
          sum += value * value;
        },
        Sum(size));
    return std::sqrt(size);
  }
  /// The next direction.
  void turn(double alpha, double omega) {
    const double before = rho();
    rho() = grid::dot(r_, shadow_);
    const double beta = rho() / nonzero(before) * (alpha / nonzero(omega));
    const auto r = r_.view(), p = p_.view(), v = v_.view();
    grid::for_each(
        p_, KOKKOS_LAMBDA(const Index<D>& i) { p(i) = r(i) + beta * (p(i) - omega * v(i)); });
  }

 private:
  Operator& a_;
  Preconditioning<Operator> inverse_;
  Values r_, shadow_, p_, v_, t_, y_, z_;
  std::array<double, 1> numbers_{};  ///< r · shadow
  double time_ = 0.0;
};

}  // namespace cartwright::linear
