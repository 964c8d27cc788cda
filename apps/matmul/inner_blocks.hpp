// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "engines.hpp"
#include "local_product.hpp"
#include "panel_memory.hpp"

namespace matmul {

/// The inner dimension as Cannon's and Fox's algorithms cut it on a process grid that need not be
/// square: into as many blocks as the least common multiple of its sides. A column of ranks has the
/// `per_a` blocks of one group of A's, a row of ranks the `per_b` blocks of one group of B's.
struct InnerBlocks {
  int columns, rows;  ///< of the process grid
  long long extent;
  long long count, per_a, per_b;

  explicit InnerBlocks(const Matrix& a)
      : columns(a.cart().dims()[0]),
        rows(a.cart().dims()[1]),
        extent(a.columns().extent()),
        count(std::lcm<long long>(columns, rows)),
        per_a(count / columns),
        per_b(count / rows) {}

  [[nodiscard]] long long begin(long long block) const { return block * extent / count; }
  [[nodiscard]] long long group_begin_a(long long group) const { return begin(group * per_a); }
  [[nodiscard]] long long group_begin_b(long long group) const { return begin(group * per_b); }
  [[nodiscard]] long long width_a(long long group) const {
    return begin((group + 1) * per_a) - begin(group * per_a);
  }
  [[nodiscard]] long long width_b(long long group) const {
    return begin((group + 1) * per_b) - begin(group * per_b);
  }
  [[nodiscard]] long long widest_a() const { return (extent + columns - 1) / columns; }
  [[nodiscard]] long long widest_b() const { return (extent + rows - 1) / rows; }
};

/// Consecutive blocks, with one group of A's and one of B's.
struct InnerStep {
  long long begin, end;  ///< indices of the inner dimension
  long long group_a, group_b;
};

/// All blocks, from `first` on and around the end.
[[nodiscard]] inline std::vector<InnerStep> steps_from(const InnerBlocks& blocks, long long first) {
  std::vector<InnerStep> steps;
  for (long long done = 0; done < blocks.count;) {
    const long long block = (first + done) % blocks.count;
    const long long a_end = (block / blocks.per_a + 1) * blocks.per_a;
    const long long b_end = (block / blocks.per_b + 1) * blocks.per_b;
    const long long end = std::min({a_end, b_end, block + blocks.count - done});
    steps.push_back(
        {blocks.begin(block), blocks.begin(end), block / blocks.per_a, block / blocks.per_b});
    done += end - block;
  }
  return steps;
}

/// A matrix's groups, of which each rank holds one, rolling around a line of ranks: two buffers, of
/// which one is worked with while the other one is filled.
class Roll {
 public:
  /// `own`: this rank's block, read until the first shift is complete.
  Roll(const Panels& panels, Phases& phases, int axis, std::span<const double> own,
       std::size_t largest, long long segment)
      : panels_(panels),
        phases_(phases),
        axis_(axis),
        ring_(panels.cart().dims()[static_cast<std::size_t>(axis)]),
        segment_(static_cast<std::size_t>(std::max(1LL, segment))),
        current_(own) {
    if (ring_ == 1) return;
    for (auto& buffer : buffers_) buffer = PanelMemory(largest);
  }

  /// Starts to fetch `size` elements from `distance` ranks further on.
  void start(int distance, std::size_t size) {
    if (distance % ring_ == 0) return;
    incoming_ = buffers_[next_].first(size);
    pending_ = panels_.start_shift(axis_, distance % ring_, current_, incoming_, segment_);
    under_way_ = true;
  }
  /// What is being fetched becomes the current group.
  void finish() {
    if (!under_way_) return;
    const auto timed = phases_.time(Phase::shift);
    pending_.wait();
    current_ = incoming_;
    next_ = 1 - next_;
    under_way_ = false;
  }
  [[nodiscard]] const double* current() const noexcept { return current_.data(); }

 private:
  const Panels& panels_;
  Phases& phases_;
  int axis_, ring_;
  std::size_t segment_;
  std::span<const double> current_;
  std::span<double> incoming_;
  std::array<PanelMemory, 2> buffers_;
  std::size_t next_ = 0;
  bool under_way_ = false;
  cartwright::comm::Pending pending_;  // declared last: gone before the memory it works on
};

}  // namespace matmul
