// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cartwright/linear/krylov/preconditioning.hpp>
#include <cartwright/linear/operators/walls.hpp>

namespace cartwright::linear {

/// Conjugate gradients (Hestenes and Stiefel 1952), in the flexible form where multigrid
/// preconditions: the next direction is then made orthogonal to the last one anew.
template <class Operator>
class ConjugateGradients final : public Iteration<Operator::dimensions> {
 public:
  static constexpr int D = Operator::dimensions;
  using Values = Field<double, D>;

  ConjugateGradients(Operator& a, Values& u, const Options& options)
      : a_(a),
        inverse_(a, options),
        r_(companion_of(u, "residual")),
        p_(correction_of(u, "direction")),
        q_(correction_of(u, "product")),
        z_(correction_of(u, "preconditioned")) {}

  [[nodiscard]] Start begin(Values& u, const Values& f) override {
    a_.right_side(r_, f);
    const Start start = subtract_product<D>(a_.kernel(), u, r_);
    if (start.residual > 0.0) precondition();
    copy(z_, p_);
    return start;
  }

  [[nodiscard]] double iterate(Values& u, double enough) override {
    const double step = rz() / direction_size();
    const double norm = move(u, step);
    if (norm <= enough) return norm;
    const double before = rz();
    precondition();
    // Equal in theory; the flexible form doesn't ask that M is the same each time.
    const double beta = inverse_.is_multigrid() ? -step * numbers_[1] / before : rz() / before;
    const auto p = p_.view();
    const auto z = z_.view();
    grid::for_each(
        p_, KOKKOS_LAMBDA(const Index<D>& i) { p(i) = z(i) + beta * p(i); });
    return norm;
  }

  [[nodiscard]] std::vector<Values*> fields() override { return {&r_, &p_}; }
  [[nodiscard]] std::span<double> numbers() override { return numbers_; }

 private:
  [[nodiscard]] double rz() const { return numbers_[0]; }
  /// q = A p; returns p · q.
  [[nodiscard]] double direction_size() {
    const auto a = a_.kernel();
    const auto p = p_.view().reading();
    const auto q = q_.view();
    double size = 0.0;
    grid::exchange(p_).overlap(
        KOKKOS_LAMBDA(const Index<D>& i, double& sum) {
          const double value = a(p, i);
          q(i) = value;
          sum += p(i) * value;
        },
        Sum(size));
    if (size <= 0.0)
      throw rt::numerical_failure("conjugate gradients: the operator isn't positive definite",
                                  "Use linear.method: bicgstab for operators that aren't.",
                                  rt::Reach::all_ranks);
    return size;
  }
  /// u += step p, r -= step q; returns the norm of r.
  [[nodiscard]] double move(Values& u, double step) {
    const auto to = u.view();
    const auto r = r_.view();
    const auto p = p_.view(), q = q_.view();
    double size = 0.0;
    grid::reduce(
        r_,
        KOKKOS_LAMBDA(const Index<D>& i, double& sum) {
          to(i) += step * p(i);
          const double value = r(i) - step * q(i);
          r(i) = value;
          sum += value * value;
        },
        Sum(size));
    return std::sqrt(size);
  }
  /// z = M r, r · z and q · z.
  void precondition() {
    inverse_.apply(z_, r_);
    const auto r = r_.view(), q = q_.view(), z = z_.view();
    Vector<double, 2> sums{};
    grid::reduce(
        r_,
        KOKKOS_LAMBDA(const Index<D>& i, Vector<double, 2>& sum) {
          sum[0] += r(i) * z(i);
          sum[1] += q(i) * z(i);
        },
        Sum(sums));
    numbers_ = {sums[0], sums[1]};
  }

  Operator& a_;
  Preconditioning<Operator> inverse_;
  Values r_, p_, q_, z_;
  std::array<double, 2> numbers_{};  ///< r · z, q · z
};

}  // namespace cartwright::linear
