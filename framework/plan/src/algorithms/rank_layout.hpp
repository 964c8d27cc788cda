// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// Which ranks do the work of an algorithm that suits only some numbers of ranks. All numberings
// keep the order of the ranks, so operators need not commute.
namespace cartwright::plan {

/// Of the first `threshold` ranks, the last of each `base` ranks stands for all of them. Those who
/// are left, and all behind the threshold, are numbered in order.
struct Collapse {
  int threshold = 0;
  int base = 1;

  [[nodiscard]] int groups() const { return threshold / base; }
  [[nodiscard]] bool folds(int rank) const { return rank < threshold && rank % base != base - 1; }
  /// Who stands for a rank below the threshold.
  [[nodiscard]] int survivor(int rank) const { return rank / base * base + base - 1; }
  [[nodiscard]] int number(int rank) const {
    return rank < threshold ? rank / base : rank - groups() * (base - 1);
  }
  [[nodiscard]] int rank(int number) const {
    return number < groups() ? number * base + base - 1 : number + groups() * (base - 1);
  }
};

/// Ranks that a product of factors leaves over ride along with groups of `factor` core ranks: those
/// of a group stand directly before it. They are spread evenly over the groups from `first_group`
/// on (Rüfenacht 2020, 5.3, in a layout that keeps the order).
struct Merge {
  int remainders = 0;
  int groups = 1;
  int factor = 1;
  int first_group = 0;

  struct Seat {
    bool is_core = true;
    int index = 0;  ///< among the core ranks, or among the remaining ones
    int group = 0;
  };

  /// Remaining ranks before this group's own.
  [[nodiscard]] int before(int group) const {
    if (remainders == 0 || group <= first_group) return 0;
    return static_cast<int>(std::int64_t{group - first_group} * remainders /
                            (groups - first_group));
  }
  [[nodiscard]] int of_group(int group) const { return before(group + 1) - before(group); }
  /// Position of a core rank, and of the i-th remaining rank of a group.
  [[nodiscard]] int core(int index) const {
    return remainders == 0 ? index : index + before(index / factor + 1);
  }
  [[nodiscard]] int remainder(int group, int i) const { return group * factor + before(group) + i; }
  /// Position of a remaining rank.
  [[nodiscard]] int remainder(int index) const {
    const int group = group_of(index);
    return remainder(group, index - before(group));
  }
  /// The group with which a remaining rank rides.
  [[nodiscard]] int group_of(int index) const {
    const std::int64_t shared = groups - first_group;
    return first_group + static_cast<int>(((index + 1) * shared + remainders - 1) / remainders) - 1;
  }
  [[nodiscard]] Seat seat(int position) const {
    if (remainders == 0 || position < first_group * factor)
      return {true, position, position / factor};
    const std::int64_t shared = groups - first_group;
    const std::int64_t behind = position - first_group * factor;
    const std::int64_t all = shared * factor + remainders;
    const int group = first_group + static_cast<int>(((behind + 1) * shared + all - 1) / all) - 1;
    const int i = position - remainder(group, 0);
    if (i < of_group(group)) return {false, before(group) + i, group};
    return {true, group * factor + i - of_group(group), group};
  }
};

}  // namespace cartwright::plan
