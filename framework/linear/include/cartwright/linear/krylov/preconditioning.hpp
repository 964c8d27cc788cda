// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/linear/multigrid/multigrid.hpp>
#include <cartwright/linear/solve/iteration.hpp>
#include <cartwright/linear/solve/options.hpp>
#include <memory>

namespace cartwright::linear {

template <class Operator>
inline constexpr bool has_multigrid = false;
template <int D, bool variable>
inline constexpr bool has_multigrid<Diffusion<D, variable>> = true;

/// z = M r, M being about the inverse of A.
template <class Operator>
class Preconditioning {
 public:
  static constexpr int D = Operator::dimensions;

  Preconditioning(Operator& a, const Options& options) : a_(a), kind_(options.preconditioner) {
    if (kind_ != Preconditioner::multigrid) return;
    if constexpr (has_multigrid<Operator>)
      multigrid_ = std::make_unique<MultigridOf>(a, options.multigrid,
                                                 options.method == Method::pipelined_cg);
    else
      throw rt::input_error("linear.preconditioner: multigrid is for diffusion operators",
                            "Choose 'jacobi' or 'none'.", rt::Reach::all_ranks);
  }
  /// M isn't quite the same, symmetric operator each time.
  [[nodiscard]] bool is_multigrid() const { return kind_ == Preconditioner::multigrid; }

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
    } else if constexpr (has_multigrid<Operator>) {
      multigrid_->precondition(z, r);
    }
  }

 private:
  struct Nothing {};
  template <class Op>
  struct Made {
    using Type = Nothing;
  };
  template <int N, bool variable>
  struct Made<Diffusion<N, variable>> {
    using Type = Multigrid<N, variable>;
  };
  using MultigridOf = typename Made<Operator>::Type;

  Operator& a_;
  Preconditioner kind_;
  std::unique_ptr<MultigridOf> multigrid_;
};

}  // namespace cartwright::linear
