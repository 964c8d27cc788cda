// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/cuts.hpp>
#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <ranges>
#include <span>
#include <vector>

namespace cartwright::comm {

/// How long the block of each rank is, where they differ. The blocks lie in the order of ranks,
/// without gaps. An object made without counts says: all have the same length.
class Blocks {
 public:
  Blocks() = default;
  /// Elements per rank; throws internal_failure for a negative number.
  template <std::ranges::input_range Counts>
  requires std::integral<std::ranges::range_value_t<Counts>>
  explicit Blocks(const Counts& counts) {
    offsets_.push_back(0);
    for (const auto count : counts) add(static_cast<plan::Count>(count));
  }
  Blocks(std::initializer_list<plan::Count> counts) : Blocks(std::span(counts)) {}
  /// `total` elements, as even as can be: the first ranks may have one more.
  [[nodiscard]] static Blocks balanced(int ranks, plan::Count total);
  /// What a rank passes to a gather or scatter whose blocks the root alone knows: the root those of
  /// all, the other ranks their own. All ranks pass such Blocks, or none does
  /// (`Collectives::blocks_at_root` makes them); then a message goes to or from each rank directly,
  /// and nobody asks for lengths.
  [[nodiscard]] static Blocks at_root(Blocks of_all);
  [[nodiscard]] static Blocks away_from_root(int ranks, int rank, plan::Count mine);

  [[nodiscard]] bool are_even() const { return offsets_.empty(); }
  [[nodiscard]] int ranks() const { return are_even() ? 0 : static_cast<int>(offsets_.size()) - 1; }
  /// First element of a rank's block; of `ranks()`, the number of all elements.
  [[nodiscard]] plan::Count offset(int rank) const {
    return offsets_[static_cast<std::size_t>(rank)];
  }
  [[nodiscard]] plan::Count count(int rank) const { return offset(rank + 1) - offset(rank); }
  [[nodiscard]] plan::Count total() const { return are_even() ? 0 : offsets_.back(); }
  [[nodiscard]] std::span<const plan::Count> offsets() const { return offsets_; }
  [[nodiscard]] bool are_known_at_root_only() const { return known_at_root_only_; }

 private:
  void add(plan::Count count);

  std::vector<plan::Count> offsets_;
  bool known_at_root_only_ = false;
};

/// Elements of all ranks, in the order of ranks, and whose is whose: the result of collectives
/// whose ranks don't know each other's counts.
template <class T>
struct Collected {
  std::vector<T> elements;
  Blocks blocks;  ///< empty where nothing arrives

  [[nodiscard]] std::span<const T> of(int rank) const {
    return std::span(elements).subspan(static_cast<std::size_t>(blocks.offset(rank)),
                                       static_cast<std::size_t>(blocks.count(rank)));
  }
};

}  // namespace cartwright::comm
