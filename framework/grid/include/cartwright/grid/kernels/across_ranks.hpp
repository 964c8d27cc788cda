// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cartwright/grid/kernels/binned_reduction.hpp>
#include <cartwright/grid/kernels/combine.hpp>
#include <cartwright/grid/kernels/row_reduction.hpp>
#include <cmath>
#include <concepts>
#include <limits>
#include <span>
#include <type_traits>

namespace cartwright::grid {

/// Sums of floating-point numbers.
template <class Reduction>
inline constexpr bool is_binned =
    Binned<typename Reduction::Value>&& Reduction::across_ranks == comm::Operator::sum;

/// What a reduction makes of the points of one rank.
template <int D, class Reduction>
using LocalReduction = std::conditional_t<is_binned<Reduction>, BinnedReduction<D, Reduction>,
                                          RowReduction<D, Reduction>>;

/// What ranks tell each other of a reduction: `data`, to be combined by `op`.
template <class Reduction>
struct AcrossRanks {
  using Value = typename Reduction::Value;
  static constexpr auto op = Reduction::across_ranks;
  static_assert(comm::Reducible<Value>,
                "cartwright: reduce to a number; Sum also takes Vector<double, N> and "
                "Vector<float, N>");

  explicit AcrossRanks(const Value& mine) : data{mine} {}
  [[nodiscard]] Value value() const { return data[0]; }

  std::array<Value, 1> data;
};

/// Sums: so that no backend, no algorithm, no mapping and no number of ranks changes a bit of them.
template <class Reduction>
requires is_binned<Reduction>
struct AcrossRanks<Reduction> {
  using Value = typename Reduction::Value;
  static constexpr auto op = comm::binned_sum;

  explicit AcrossRanks(const BinnedSums<Value>& mine) {
    std::ranges::copy(mine.part, data.begin());
  }
  [[nodiscard]] Value value() const {
    BinnedSums<Value> sums;
    std::ranges::copy(data, sums.part);
    return sums.value();
  }

  std::array<comm::BinnedSum, BinnedParts<Value>::count> data;
};

/// Extremes are NaN where a rank's is: MPI leaves open what its own would be.
template <class Reduction>
requires(std::floating_point<typename Reduction::Value>&& Reduction::across_ranks !=
         comm::Operator::sum) struct AcrossRanks<Reduction> {
  using Value = typename Reduction::Value;
  static constexpr auto op = Reduction::across_ranks;
  static constexpr Value mark = op == comm::Operator::minimum ? -1 : 1;

  explicit AcrossRanks(const Value& mine)
      : data{std::isnan(mine) ? Reduction::identity() : mine, std::isnan(mine) ? mark : Value{0}} {}
  [[nodiscard]] Value value() const {
    return data[1] == Value{0} ? data[0] : std::numeric_limits<Value>::quiet_NaN();
  }

  std::array<Value, 2> data;
};

/// Collective. Combines what all ranks have.
template <class Reduction>
void combine_across_ranks(const comm::CartComm& comm, AcrossRanks<Reduction>& all,
                          comm::CallSite site) {
  if constexpr (is_binned<Reduction>)
    combine_across_ranks(comm, std::span<comm::BinnedSum>(all.data), site);
  else if constexpr (comm::Reducible<typename Reduction::Value>)
    combine_across_ranks(comm, comm::values(std::span<typename Reduction::Value>(all.data)), all.op,
                         site);
}
template <class Reduction>
[[nodiscard]] comm::Pending start_combining_across_ranks(const comm::CartComm& comm,
                                                         AcrossRanks<Reduction>& all,
                                                         comm::CallSite site) {
  if constexpr (is_binned<Reduction>)
    return start_combining_across_ranks(comm, std::span<comm::BinnedSum>(all.data), site);
  else if constexpr (!comm::Reducible<typename Reduction::Value>)
    return comm::Pending();
  else
    return start_combining_across_ranks(
        comm, comm::values(std::span<typename Reduction::Value>(all.data)), all.op, site);
}

}  // namespace cartwright::grid
