// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/algorithms/split_table.hpp>
#include <cartwright/plan/step.hpp>
#include <cartwright/plan/team.hpp>

#include <vector>

namespace cartwright::plan {

/// A child in a tree of ranks.
struct TreeChild {
  int rank = 0;
  int round = 0;   ///< in which data go to it, from the root on
  Extent ranks{};  ///< of its subtree, where they are consecutive
};

/// A tree over the ranks of a team, seen by one of them.
struct TreeNode {
  int parent = -1;                    ///< -1: the root
  int round = -1;                     ///< in which data come from the parent
  Extent ranks{};                     ///< of the subtree, this rank among them, where consecutive
  std::vector<TreeChild> children{};  ///< by round; consecutive messages of this rank
  int rounds = 0;                     ///< of the whole tree
  int period = 1;                     ///< rounds between two segments that follow each other

  [[nodiscard]] bool is_root() const { return parent < 0; }
  [[nodiscard]] bool is_leaf() const { return children.empty(); }
};

/// How a tree made for rank 0 is carried over to another root.
enum class RootPlacement : std::uint8_t {
  rotate,       ///< virtual rank v is rank (v + root) mod P
  exclusive_or  ///< virtual rank v is rank v xor root: ranks of one aligned group stay in one
};

/// Rounds that a tree needs in which every holder serves `fan_out` others in each.
int tree_rounds(int ranks, int fan_out);

/// Throws std::invalid_argument when the team hasn't that root.
void require_root(Team team, Root root);

/// The trees below need O(depth * fan-out) time and memory for a rank. In the first three each
/// holder of a range of ranks splits it and passes parts on: ranges are consecutive ranks, without
/// a wrap, for any root, and data lie in rank order.

/// Every holder splits its range into fan_out + 1 parts as even as can be, of which it keeps one
/// of the longest. tree_rounds(P, fan_out) rounds. With fan_out 1 and P = 2^q the child is the
/// holder xor the size of the part. (Viertel 2007, section 5.2.3; its surplus goes to children.)
TreeNode n_way_tree(Team team, Root root, int fan_out);

/// Splits ranges at multiples of powers of two. The child is the holder xor a power of two, or the
/// last rank where there is no such. For root 0 the binomial tree in which the parent of a rank is
/// that rank without its lowest bit. tree_rounds(P, 1) rounds.
TreeNode aligned_tree(Team team, Root root);

/// Splits ranges as the table says, one child a round. Where L' < g a root in the middle may have
/// to send less than the table wants, so that what it keeps stays consecutive. Throws
/// std::invalid_argument when the table is too short.
TreeNode split_tree(Team team, Root root, const SplitTable& table);

/// The parent of virtual rank v is v without its lowest non-zero digit in base `radix`; rotated
/// for other roots, so that ranges are in ring order. tree_rounds(P, radix - 1) rounds.
TreeNode k_nomial_tree(Team team, Root root, int radix);

/// The parent of virtual rank v is v without its highest bit. Subtrees aren't consecutive.
/// tree_rounds(P, 1) rounds. Where P isn't a power of two, `exclusive_or` rotates.
TreeNode high_bit_tree(Team team, Root root, RootPlacement placement);

/// The children of virtual rank v are k v + 1 … k v + k; rotated. With k = 1 a chain. Subtrees
/// aren't consecutive. As many rounds as the tree is deep.
TreeNode k_ary_tree(Team team, Root root, int k);

}  // namespace cartwright::plan
