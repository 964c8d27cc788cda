// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/field/for_each.hpp>
#include <concepts>

namespace cartwright::grid {
namespace detail {

/// Of this rank's points: planes of rows, as they lie in memory.
template <int D>
[[nodiscard]] BinnedSums<double> sum_of_products(const FieldView<const double, D>& left,
                                                 const FieldView<const double, D>& right,
                                                 const Box<D>& box) {
  constexpr int row_axis = D > 1 ? 1 : 0;
  constexpr int last = D - 1;
  BinnedSums<double> sums;
  if (box.empty()) return sums;
  const auto parts =
      results_of_ranges(box.size(), box.extent(last), [=](long long from, long long to) {
        const Box<D> part = box.with(last, box.lower[last] + static_cast<int>(from),
                                     box.lower[last] + static_cast<int>(to));
        const auto rows = static_cast<std::size_t>(D > 1 ? part.extent(row_axis) : 1);
        const auto count = static_cast<std::size_t>(part.extent(0));
        BinnedSums<double> sum;
        for (Index<D> i = part.lower; i[last] < part.upper[last]; ++i[last]) {
          sum.part[0].add_products({&left(i), left.stride(row_axis)},
                                   {&right(i), right.stride(row_axis)}, rows, count);
          if (D < 3) break;  // there is one plane
        }
        return sum;
      });
  for (const auto& sum : parts) sums += sum;
  return sums;
}

}  // namespace detail

/// Collective. The sum of the products of all owned points (of vectors: of their scalar products):
/// the same bits on any number of ranks and threads. Both fields lie on one grid, with one
/// centring.
template <class T, int D>
[[nodiscard]] double dot(const Field<T, D>& a, const Field<T, D>& b,
                         comm::CallSite site = comm::CallSite::here()) {
  double result = 0.0;
  const auto left = a.view();
  const auto right = b.view();
  if constexpr (std::same_as<T, double> && kernels_run_on_host) {
    const GridBase& grid = a.grid();
    const rt::Timed timed(grid.trace(), grid.kernel_regions().reduce);
    AcrossRanks<Sum<double>> all(detail::sum_of_products<D>(left, right, a.owned()));
    const rt::Timed waiting(grid.trace(), grid.kernel_regions().across_ranks);
    combine_across_ranks(grid.comm(), all, site);
    result = all.value();
  } else {
    reduce(
        a,
        KOKKOS_LAMBDA(const Index<D>& i, double& sum) {
          const ElementOf<T> l = left(i), r = right(i);
          for (int c = 0; c < ElementTraits<T>::components; ++c)
            sum +=
                static_cast<double>(component_of(l, c)) * static_cast<double>(component_of(r, c));
        },
        Sum(result, site));
  }
  return result;
}

}  // namespace cartwright::grid
