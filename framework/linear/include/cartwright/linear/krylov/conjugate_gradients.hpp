// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cartwright/linear/krylov/preconditioning.hpp>
#include <cartwright/linear/operators/volumes.hpp>
#include <cartwright/linear/operators/walls.hpp>

namespace cartwright::linear {

/// Conjugate gradients (Hestenes and Stiefel 1952), in the flexible form where multigrid
/// preconditions: the next direction is then made orthogonal to the last one anew. Products of
/// vectors weigh cells by their volumes.
template <class Operator>
class ConjugateGradients final : public Iteration<Operator::dimensions> {
 public:
  static constexpr int D = Operator::dimensions;
  using Values = Field<double, D>;

  ConjugateGradients(Operator& a, Values& u, const Options& options)
      : a_(a),
        inverse_(a, options),
        volumes_(u.typed_grid()),
        r_(companion_of(u, "residual")),
        p_(correction_of(u, "direction")),
        q_(correction_of(u, "product")),
        z_(correction_of(u, "preconditioned")) {}

  [[nodiscard]] Start begin(Values& u, const Values& f, double time) override {
    time_ = time;
    a_.right_side(r_, f, time);
    const Start start = subtract_product<D>(a_, u, r_, time);
    if (start.residual > 0.0)
      (void)volumes_.with([&](const auto& volumes) { return precondition(volumes); });
    copy(z_, p_);
    return start;
  }

  [[nodiscard]] double iterate(Values& u, double enough) override {
    return volumes_.with([&](const auto& volumes) { return iterate(u, enough, volumes); });
  }

  [[nodiscard]] std::vector<Values*> fields() override { return {&r_, &p_}; }
  [[nodiscard]] std::span<double> numbers() override { return numbers_; }

  // Public: nvcc takes no kernels from private functions.
  template <class CellVolumes>
  [[nodiscard]] double iterate(Values& u, double enough, const CellVolumes& volumes) {
    const double before = rz(), step = before / direction_size(volumes);
    double norm = 0.0;
    if (inverse_.is_multigrid()) {
      norm = move(u, step);
      if (norm <= enough) return norm;
      (void)precondition(volumes);
    } else {  // cheap enough to be done in vain once, for one reduction fewer each time
      move_on(u, step);
      norm = precondition(volumes);
      if (norm <= enough) return norm;
    }
    // Equal in theory; the flexible form doesn't ask that M is the same each time.
    const double beta = inverse_.is_multigrid() ? -step * numbers_[1] / before : rz() / before;
    const auto p = p_.view();
    const auto z = z_.view();
    grid::for_each(
        p_, KOKKOS_LAMBDA(const Index<D>& i) { p(i) = z(i) + beta * p(i); });
    return norm;
  }
  [[nodiscard]] double rz() const { return numbers_[0]; }
  /// q = A p; returns p · q.
  template <class CellVolumes>
  [[nodiscard]] double direction_size(const CellVolumes& volumes) {
    Values& seen = a_.seen(p_);
    const auto a = a_.kernel();
    const auto from = seen.view().reading();
    const auto p = p_.view(), q = q_.view();
    double size = 0.0;
    grid::exchange(seen).at(time_).overlap(
        KOKKOS_LAMBDA(const Index<D>& i, double& sum) {
          const double value = a(from, i);
          q(i) = value;
          sum += volumes.weighted(p(i) * value, i);
        },
        Sum(size));
    if (size <= 0.0)
      throw rt::numerical_failure("conjugate gradients: the operator isn't positive definite",
                                  "Use the method bicgstab for operators that aren't.",
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
  /// The same, without the norm.
  void move_on(Values& u, double step) {
    const auto to = u.view(), r = r_.view(), p = p_.view(), q = q_.view();
    grid::for_each(
        r_, KOKKOS_LAMBDA(const Index<D>& i) {
          to(i) += step * p(i);
          r(i) -= step * q(i);
        });
  }
  /// z = M r, r · z and q · z; returns the norm of r.
  template <class CellVolumes>
  [[nodiscard]] double precondition(const CellVolumes& volumes) {
    inverse_.apply(z_, r_);
    const auto r = r_.view(), q = q_.view(), z = z_.view();
    Vector<double, 3> sums{};
    grid::reduce(
        r_,
        KOKKOS_LAMBDA(const Index<D>& i, Vector<double, 3>& sum) {
          sum[0] += volumes.weighted(r(i) * z(i), i);
          sum[1] += volumes.weighted(q(i) * z(i), i);
          sum[2] += r(i) * r(i);
        },
        Sum(sums));
    numbers_ = {sums[0], sums[1]};
    return std::sqrt(sums[2]);
  }

 private:
  Operator& a_;
  Preconditioning<Operator> inverse_;
  Volumes<D> volumes_;
  Values r_, p_, q_, z_;
  std::array<double, 2> numbers_{};  ///< r · z, q · z
  double time_ = 0.0;
};

}  // namespace cartwright::linear
