// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cartwright/linear/krylov/preconditioning.hpp>
#include <cartwright/linear/operators/volumes.hpp>
#include <cartwright/linear/operators/walls.hpp>

namespace cartwright::linear {

/// Conjugate gradients with one reduction an iteration, which the preconditioner and the product
/// hide (Ghysels and Vanroose 2014, algorithm 4). More vectors, and recurrences in place of
/// products: every `renewal` iterations these are replaced by what they stand for, or rounding
/// would grow. Where it has grown all the same, the iteration starts again from u.
template <class Operator>
class PipelinedConjugateGradients final : public Iteration<Operator::dimensions> {
 public:
  static constexpr int D = Operator::dimensions;
  using Values = Field<double, D>;

  PipelinedConjugateGradients(Operator& a, Values& u, const Options& options)
      : a_(a),
        inverse_(a, options),
        volumes_(u.typed_grid()),
        b_(companion_of(u, "right side")),
        r_(companion_of(u, "residual")),
        preconditioned_(correction_of(u, "preconditioned residual")),
        w_(correction_of(u, "product")),
        m_(correction_of(u, "preconditioned product")),
        n_(correction_of(u, "second product")),
        p_(correction_of(u, "direction")),
        s_(correction_of(u, "product of the direction")),
        q_(correction_of(u, "preconditioned product of the direction")),
        z_(correction_of(u, "second product of the direction")) {}

  [[nodiscard]] Start begin(Values& u, const Values& f, double time) override {
    time_ = time;
    a_.right_side(b_, f, time);
    copy(b_, r_);
    const Start start = subtract_product<D>(a_, u, r_, time);
    if (start.residual > 0.0) {
      inverse_.apply(preconditioned_, r_);
      product(preconditioned_, w_);
    }
    numbers_ = {};
    return start;
  }

  /// The norm is that of the residual which the iteration starts from: the reduction that brings it
  /// is the only one. Where it is enough, u stays.
  [[nodiscard]] double iterate(Values& u, double enough) override {
    return volumes_.with([&](const auto& volumes) { return iterate(u, enough, volumes); });
  }

  [[nodiscard]] std::vector<Values*> fields() override {
    return {&r_, &preconditioned_, &w_, &p_, &s_, &q_, &z_};
  }
  [[nodiscard]] std::span<double> numbers() override { return numbers_; }

  // Public: nvcc takes no kernels from private functions.
  static constexpr double renewal = 50;
  [[nodiscard]] double& gamma() { return numbers_[0]; }
  [[nodiscard]] double& alpha() { return numbers_[1]; }
  [[nodiscard]] double& count() { return numbers_[2]; }

  template <class CellVolumes>
  [[nodiscard]] double iterate(Values& u, double enough, const CellVolumes& volumes) {
    const auto r = r_.view(), mr = preconditioned_.view(), w = w_.view();
    Vector<double, 3> sums{};
    auto reduction = grid::start_reduce(
        r_,
        KOKKOS_LAMBDA(const Index<D>& i, Vector<double, 3>& sum) {
          sum[0] += volumes.weighted(r(i) * mr(i), i);
          sum[1] += volumes.weighted(w(i) * mr(i), i);
          sum[2] += r(i) * r(i);
        },
        Sum(sums));
    inverse_.apply(m_, w_);
    product(m_, n_);
    reduction.wait();
    const double norm = std::sqrt(sums[2]);
    if (norm <= enough) return norm;
    const double beta = gamma() == 0.0 ? 0.0 : sums[0] / gamma();
    const double size = gamma() == 0.0 ? sums[1] : sums[1] - beta * sums[0] / alpha();
    if (size <= 0.0) {
      start_again(u);
      return norm;
    }
    move(u, sums[0], beta, sums[0] / size);
    if (++count() >= renewal) renew(u);
    return norm;
  }

  void product(Values& in, Values& out) {
    Values& seen = a_.seen(in);
    const auto a = a_.kernel();
    const auto from = seen.view().reading();
    const auto to = out.view();
    grid::exchange(seen).at(time_).overlap(
        KOKKOS_LAMBDA(const Index<D>& i) { to(i) = a(from, i); });
  }
  /// All recurrences in one pass.
  void move(Values& u, double new_gamma, double beta, double step) {
    const auto to = u.view(), r = r_.view(), mr = preconditioned_.view(), w = w_.view(),
               m = m_.view(), n = n_.view(), p = p_.view(), s = s_.view(), q = q_.view(),
               z = z_.view();
    grid::for_each(
        u, KOKKOS_LAMBDA(const Index<D>& i) {
          z(i) = n(i) + beta * z(i);
          q(i) = m(i) + beta * q(i);
          s(i) = w(i) + beta * s(i);
          p(i) = mr(i) + beta * p(i);
          to(i) += step * p(i);
          r(i) -= step * s(i);
          mr(i) -= step * q(i);
          w(i) -= step * z(i);
        });
    gamma() = new_gamma;
    alpha() = step;
  }
  /// From u, as if nothing had been done before.
  void start_again(Values& u) {
    if (gamma() == 0.0)
      throw rt::numerical_failure(
          "pipelined conjugate gradients: the operator isn't positive definite",
          "Use the method bicgstab.", rt::Reach::all_ranks);
    renew(u);
    gamma() = 0.0;
  }
  /// What recurrences have carried along is computed anew.
  void renew(Values& u) {
    copy(b_, r_);
    (void)subtract_product<D>(a_, u, r_, time_);
    inverse_.apply(preconditioned_, r_);
    product(preconditioned_, w_);
    product(p_, s_);
    inverse_.apply(q_, s_);
    product(q_, z_);
    count() = 0;
  }

 private:
  Operator& a_;
  Preconditioning<Operator> inverse_;
  Volumes<D> volumes_;
  Values b_, r_, preconditioned_, w_, m_, n_, p_, s_, q_, z_;
  std::array<double, 3> numbers_{};
  double time_ = 0.0;
};

}  // namespace cartwright::linear
