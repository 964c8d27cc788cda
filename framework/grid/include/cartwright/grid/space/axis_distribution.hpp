// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace cartwright::grid {

/// Which part owns which of the indices 0 … extent-1 along one axis of a matrix. A part may own
/// none. Plain: each part has one run, part p from floor(p extent / parts) on; parts differ by one
/// index at the most. Cyclic: blocks of `block` indices are dealt to the parts in turn, as
/// ScaLAPACK does.
class AxisDistribution {
 public:
  AxisDistribution() = default;
  /// Throws an input error for extents below 1, parts below 1, or products beyond 2^62.
  [[nodiscard]] static AxisDistribution plain(long long extent, int parts);
  /// The same, and for blocks below 1.
  [[nodiscard]] static AxisDistribution cyclic(long long extent, int parts, long long block);

  [[nodiscard]] long long extent() const noexcept { return extent_; }
  [[nodiscard]] int parts() const noexcept { return parts_; }
  /// Indices of a block of the cyclic form; 0: plain.
  [[nodiscard]] long long block() const noexcept { return block_; }

  /// How many indices `part` owns.
  [[nodiscard]] long long count(int part) const noexcept;
  [[nodiscard]] int owner(long long index) const noexcept;
  /// Where the owner of `index` keeps it, counted from 0.
  [[nodiscard]] long long local(long long index) const noexcept;
  [[nodiscard]] long long global(int part, long long local) const noexcept;
  /// The end of the consecutive indices from `index` on that its owner has.
  [[nodiscard]] long long run_end(long long index) const noexcept;

  friend bool operator==(const AxisDistribution&, const AxisDistribution&) = default;

 private:
  AxisDistribution(long long extent, int parts, long long block);
  [[nodiscard]] long long begin(int part) const noexcept;

  long long extent_ = 1;
  int parts_ = 1;
  long long block_ = 0;
};

}  // namespace cartwright::grid
