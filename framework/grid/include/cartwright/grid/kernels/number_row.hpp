// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cartwright/grid/kernels/execution.hpp>
#include <vector>

namespace cartwright::grid {

/// A row of numbers that kernels read: where they run, whatever memory that is.
class NumberRow {
 public:
  /// A copy of `numbers`; memory is taken only where their count is another one than before.
  void assign(const std::vector<double>& numbers) {
    if (numbers_.size() != numbers.size())
      numbers_ = Kokkos::View<double*, Memory>(
          Kokkos::view_alloc("cartwright::numbers", Kokkos::WithoutInitializing), numbers.size());
    const auto host = Kokkos::create_mirror_view(numbers_);
    std::copy(numbers.begin(), numbers.end(), host.data());
    Kokkos::deep_copy(numbers_, host);
  }
  /// For kernels.
  [[nodiscard]] const double* data() const { return numbers_.data(); }

 private:
  Kokkos::View<double*, Memory> numbers_;
};

}  // namespace cartwright::grid
