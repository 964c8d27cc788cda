// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace cartwright::mapping {

/// Times of messages between cores of one node, as a scan of all ordered pairs measures them: any
/// unit. The diagonal is ignored.
class CostMatrix {
 public:
  /// `costs`: row after row, a row for each sender. Throws an input error (reach: all ranks) if it
  /// isn't square or holds anything but finite numbers.
  explicit CostMatrix(std::vector<double> costs);
  [[nodiscard]] int size() const noexcept { return size_; }
  [[nodiscard]] double operator()(int from, int to) const noexcept {
    return costs_[static_cast<std::size_t>(from) * static_cast<std::size_t>(size_) +
                  static_cast<std::size_t>(to)];
  }

 private:
  int size_;
  std::vector<double> costs_;
};

}  // namespace cartwright::mapping
