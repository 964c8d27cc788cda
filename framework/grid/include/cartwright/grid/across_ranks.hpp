// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/grid/exact_sum.hpp>
#include <concepts>

namespace cartwright::grid {

/// Collective. What a reduction makes of the values of all ranks. Sums are exact before they are
/// rounded once, so that no backend, no algorithm and no mapping changes a bit of them by the order
/// in which it adds (long doubles and complex numbers excepted).
template <class Reduction>
[[nodiscard]] typename Reduction::Value across_ranks(const comm::CartComm& comm,
                                                     const typename Reduction::Value& mine) {
  using Value = typename Reduction::Value;
  constexpr bool would_round = std::same_as<Value, double> || std::same_as<Value, float>;
  if constexpr (would_round && Reduction::across_ranks == comm::Operator::sum) {
    ExactSum sum;
    sum.add(mine);
    return static_cast<Value>(sum.over(comm.communicator()).value());
  } else {
    return comm.allreduce(mine, Reduction::across_ranks);
  }
}

}  // namespace cartwright::grid
