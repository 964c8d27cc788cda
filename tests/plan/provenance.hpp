// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace cartwright::plan::test {

/// Stands for one element of data: which contributions went into it, in which expression, and which
/// element it is. What tests interpret schedules with in place of numbers: a contribution that is
/// missing, doubled, misplaced or out of order can't cancel out.
struct Term {
  std::int32_t tree = -1;     ///< in Provenance; -1: never written
  std::int32_t element = -1;  ///< -2: combined with another element
  friend bool operator==(Term, Term) = default;
};

/// Expression trees over contributions. Equal expressions have equal numbers.
class Provenance {
 public:
  /// Leaves 0 … contributions - 1 are the contributions.
  explicit Provenance(int contributions) {
    for (int c = 0; c < contributions; ++c) nodes_.push_back({-1, -1, {c, c + 1}});
  }

  Term combine(Term left, Term right) {
    if (left.tree < 0 || right.tree < 0) return {};
    const std::int32_t element = left.element == right.element ? left.element : -2;
    if (left.tree != last_left_ || right.tree != last_right_) {
      last_left_ = left.tree;
      last_right_ = right.tree;
      const auto key =
          static_cast<std::uint64_t>(left.tree) << 32 | static_cast<std::uint64_t>(right.tree);
      const auto [found, is_new] =
          numbers_.try_emplace(key, static_cast<std::int32_t>(nodes_.size()));
      if (is_new) nodes_.push_back({left.tree, right.tree, joined(left.tree, right.tree)});
      last_number_ = found->second;
    }
    return {last_number_, element};
  }

  /// Contributions [first, last).
  struct Range {
    int first = 0;
    int last = -1;
    friend bool operator==(Range, Range) = default;
  };
  /// The contributions of an expression that has those of a range, each once and in order. Of any
  /// other expression no range.
  Range range(std::int32_t tree) const { return nodes_[static_cast<std::size_t>(tree)].range; }

  /// The contributions of an expression from left to right.
  std::vector<int> contributions(std::int32_t tree) const {
    std::vector<int> leaves;
    std::vector<std::int32_t> open{tree};
    while (!open.empty()) {
      const std::int32_t at = open.back();
      open.pop_back();
      const Node& node = nodes_[static_cast<std::size_t>(at)];
      if (node.left < 0) {
        leaves.push_back(at);
      } else {
        open.push_back(node.right);
        open.push_back(node.left);
      }
    }
    return leaves;
  }

 private:
  struct Node {
    std::int32_t left = -1;
    std::int32_t right = -1;
    Range range;
  };

  Range joined(std::int32_t left, std::int32_t right) const {
    const Range a = range(left);
    const Range b = range(right);
    return a.last >= 0 && a.last == b.first ? Range{a.first, b.last} : Range{};
  }

  std::vector<Node> nodes_;
  std::unordered_map<std::uint64_t, std::int32_t> numbers_;
  std::int32_t last_left_ = -1;
  std::int32_t last_right_ = -1;
  std::int32_t last_number_ = -1;
};

}  // namespace cartwright::plan::test
