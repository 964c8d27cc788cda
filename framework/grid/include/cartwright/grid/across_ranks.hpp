// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/grid/exact_sum.hpp>
#include <cmath>
#include <concepts>
#include <limits>

namespace cartwright::grid {

/// Collective. What a reduction makes of the values of all ranks. Sums are exact before they are
/// rounded once, so that no backend, no algorithm and no mapping changes a bit of them by the order
/// in which it adds (long doubles and complex numbers excepted). Extremes are NaN where a rank's
/// is: MPI leaves open what its own would be.
template <class Reduction>
[[nodiscard]] typename Reduction::Value across_ranks(const comm::CartComm& comm,
                                                     const typename Reduction::Value& mine) {
  using Value = typename Reduction::Value;
  constexpr bool would_round = std::same_as<Value, double> || std::same_as<Value, float>;
  if constexpr (would_round && Reduction::across_ranks == comm::Operator::sum) {
    ExactSum sum;
    sum.add(mine);
    return static_cast<Value>(sum.over(comm.communicator()).value());
  } else if constexpr (std::floating_point<Value> &&
                       Reduction::across_ranks != comm::Operator::sum) {
    const bool is_nan = std::isnan(mine);
    constexpr Value mark = Reduction::across_ranks == comm::Operator::minimum ? -1 : 1;
    std::array<Value, 2> all{is_nan ? Reduction::identity() : mine, is_nan ? mark : Value{0}};
    comm.allreduce(all, Reduction::across_ranks);
    return all[1] == Value{0} ? all[0] : std::numeric_limits<Value>::quiet_NaN();
  } else {
    return comm.allreduce(mine, Reduction::across_ranks);
  }
}

}  // namespace cartwright::grid
