// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cartwright/grid/run/field_base.hpp>
#include <cartwright/grid/space/grid_description.hpp>
#include <vector>

namespace cartwright::grid {

/// How much of the grid each owned point stands for: 1 in the mean over all ranks.
class PointWeights {
 public:
  /// Of the points of `field`, which is on `grid`.
  PointWeights(const GridDescription& grid, const FieldBase& field);
  [[nodiscard]] bool are_equal() const { return !is_stretched_; }
  /// By the point's number in memory order.
  [[nodiscard]] double operator()(long long number) const {
    const long long x = number % count_[0], y = number / count_[0] % count_[1],
                    z = number / count_[0] / count_[1];
    return along_[0][static_cast<std::size_t>(x)] * along_[1][static_cast<std::size_t>(y)] *
           along_[2][static_cast<std::size_t>(z)];
  }

 private:
  bool is_stretched_;
  std::array<long long, 3> count_;
  std::array<std::vector<double>, 3> along_;
};

}  // namespace cartwright::grid
