// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

namespace cartwright::plan {

/// A number of elements, or of bytes.
using Count = std::int64_t;

/// Where the blocks of some data begin, in elements.
class Cuts {
 public:
  Cuts() = default;
  /// Blocks of the same length.
  static Cuts uniform(int blocks, Count each) { return {blocks, each, 0, nullptr}; }
  /// `total` elements in blocks as even as can be: the first ones may have one element more.
  static Cuts balanced(int blocks, Count total) {
    return {blocks, blocks == 0 ? 0 : total / blocks, blocks == 0 ? 0 : total % blocks, nullptr};
  }
  /// offsets[b] … offsets[b + 1] is block b; offsets[0] = 0. The numbers must outlive the cuts.
  static Cuts at(std::span<const Count> offsets) {
    return {static_cast<int>(offsets.size()) - 1, 0, 0, offsets.data()};
  }

  [[nodiscard]] int blocks() const { return blocks_; }
  [[nodiscard]] Count total() const { return offset(blocks_); }

  /// First element of a block; of `blocks()`, the number of elements.
  [[nodiscard]] Count offset(int block) const {
    return offsets_ ? offsets_[block] : block * each_ + std::min<Count>(block, longer_);
  }
  /// Elements of `count` blocks from `first` on, in ring order.
  [[nodiscard]] Count length(int first, int count) const {
    const int end = first + count;
    if (end <= blocks_) return offset(end) - offset(first);
    return total() - offset(first) + offset(end - blocks_);
  }

 private:
  Cuts(int blocks, Count each, Count longer, const Count* offsets)
      : blocks_(blocks), each_(each), longer_(longer), offsets_(offsets) {}

  int blocks_ = 0;
  Count each_ = 0;
  Count longer_ = 0;
  const Count* offsets_ = nullptr;
};

}  // namespace cartwright::plan
