// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/models/network.hpp>
#include <cartwright/plan/models/time.hpp>

#include <vector>

namespace cartwright::plan {

/// What a message of n blocks costs when a range of ranks is split.
struct SplitCosts {
  Picoseconds message =
      0;                  ///< L' = o_s + L + o_r: from its start to its arrival, without its bytes
  Picoseconds gap = 0;    ///< max(g, o_s): until the next message may start, without the bytes
  Picoseconds block = 0;  ///< c: the bytes of one block
};

/// The costs of blocks of so many bytes on a network whose bytes hold the port; parameters are
/// taken at the size of one block.
SplitCosts split_costs(const Network& network, Count block_bytes);

/// How the holder of p blocks best splits them to scatter (or, reversed, gather) them: it sends n
/// and keeps p - n, where t(1) = 0, t(p) = min over n of n c + max(L' + t(n), g + t(p - n)).
/// Optimal among trees whose holders send one message after the other (Viertel 2007, after
/// Alexandrov 1995). Linear memory and nearly linear time: t(p) >= t(p - 1) + c, so the best n
/// stands next to the place where the maximum changes sides, and that place only moves up.
class SplitTable {
 public:
  /// For 1 … ranks blocks. Throws std::invalid_argument when a cost is negative.
  SplitTable(int ranks, SplitCosts costs);

  [[nodiscard]] int ranks() const { return static_cast<int>(entries_.size()); }
  /// n, the smallest of the best; p >= 2. At most p / 2 where L' >= g.
  [[nodiscard]] int split(int p) const { return entry(p).split; }
  /// t(p).
  [[nodiscard]] Picoseconds time(int p) const { return entry(p).time; }
  /// Rounds, of one message for each holder.
  [[nodiscard]] int rounds(int p) const { return entry(p).rounds; }

 private:
  struct Entry {
    Picoseconds time = 0;
    int split = 0;
    int rounds = 0;
  };
  [[nodiscard]] const Entry& entry(int p) const {
    return entries_[static_cast<std::size_t>(p) - 1];
  }
  [[nodiscard]] Picoseconds cost(SplitCosts costs, int p, int n) const;
  [[nodiscard]] int smallest_best(SplitCosts costs, int p, int n) const;

  std::vector<Entry> entries_;
};

}  // namespace cartwright::plan
