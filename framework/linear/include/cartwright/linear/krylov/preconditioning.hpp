// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/linear/hypre/hypre_cycle.hpp>
#include <cartwright/linear/multigrid/multigrid.hpp>
#include <cartwright/linear/solve/iteration.hpp>
#include <cartwright/linear/solve/options.hpp>
#include <memory>
#include <utility>

namespace cartwright::linear {

/// Operators that are a Diffusion, or near one.
template <class Operator>
concept NearDiffusion = requires(Operator& a) {
  a.diffusion();
};

/// z = M r, M being about the inverse of A.
template <class Operator>
class Preconditioning {
 public:
  static constexpr int D = Operator::dimensions;

  Preconditioning(Operator& a, const Options& options) : a_(a), kind_(options.preconditioner) {
    if (is_simple(kind_)) return;
    if constexpr (NearDiffusion<Operator>) {
      if (kind_ == Preconditioner::multigrid)
        multigrid_ = std::make_unique<MultigridOf>(a.diffusion(), options.multigrid,
                                                   options.method == Method::pipelined_cg);
      else
        hypre_ = std::make_unique<HypreOf>(a.diffusion(), kind_of(kind_));
    } else {
      throw rt::input_error(
          "the preconditioner '" + name_of(kind_of(kind_)) + "' is for diffusion operators",
          "Choose 'jacobi' or 'none'.", rt::Reach::all_ranks);
    }
  }
  /// M isn't quite the same, symmetric operator each time.
  [[nodiscard]] bool is_multigrid() const { return !is_simple(kind_); }

  void apply(Field<double, D>& z, Field<double, D>& r) const {
    if (kind_ == Preconditioner::none) {
      copy(r, z);
    } else if (kind_ == Preconditioner::jacobi) {
      const auto from = r.view();
      const auto to = z.view();
      const auto a = a_.kernel();
      grid::for_each(
          r, KOKKOS_LAMBDA(const Index<D>& i) {
            const double diagonal = a.diagonal(from.reading(), i);
            to(i) = diagonal != 0.0 ? from(i) / diagonal : from(i);
          });
    } else if constexpr (NearDiffusion<Operator>) {
      if (hypre_)
        hypre_->apply(z, r);
      else
        multigrid_->precondition(z, r);
    }
  }

 private:
  struct Nothing {};
  template <class Op>
  struct Made {
    using Type = Nothing;
    using Hypre = Nothing;
  };
  template <NearDiffusion Op>
  struct Made<Op> {
    using Type = decltype(Multigrid(std::declval<Op&>().diffusion(), MultigridOptions{}, false));
    using Hypre = decltype(HypreCycle(std::declval<Op&>().diffusion(), MultigridKind::own));
  };
  using MultigridOf = typename Made<Operator>::Type;
  using HypreOf = typename Made<Operator>::Hypre;

  Operator& a_;
  Preconditioner kind_;
  std::unique_ptr<MultigridOf> multigrid_;
  std::unique_ptr<HypreOf> hypre_;
};

}  // namespace cartwright::linear
