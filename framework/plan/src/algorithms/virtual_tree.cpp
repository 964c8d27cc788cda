// SPDX-License-Identifier: Apache-2.0
// Trees over virtual ranks, of which 0 is the root.
#include <cartwright/plan/algorithms/tree.hpp>

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>

namespace cartwright::plan {

namespace {

// Carries virtual ranks to ranks and back.
class VirtualRanks {
 public:
  VirtualRanks(Team team, Root root, RootPlacement placement)
      : ranks_(team.ranks), root_(root.rank), xor_(placement == RootPlacement::exclusive_or) {
    require_root(team, root);
    xor_ = xor_ && std::has_single_bit(static_cast<unsigned>(ranks_));
    me_ = xor_ ? team.me ^ root_ : (team.me - root_ + ranks_) % ranks_;
  }

  [[nodiscard]] std::int64_t me() const { return me_; }
  [[nodiscard]] int rank(std::int64_t v) const {
    return static_cast<int>(xor_ ? v ^ root_ : (v + root_) % ranks_);
  }

 private:
  std::int64_t ranks_;
  std::int64_t root_;
  std::int64_t me_ = 0;
  bool xor_;
};

}  // namespace

TreeNode k_nomial_tree(Team team, Root root, int radix) {
  if (radix < 2) throw std::invalid_argument("a tree of radix " + std::to_string(radix));
  const VirtualRanks ranks(team, root, RootPlacement::rotate);
  const std::int64_t me = ranks.me();
  TreeNode node;
  node.period = node.rounds = tree_rounds(team.ranks, radix - 1);
  std::int64_t stride = 1;  // of the lowest non-zero digit
  int round = node.rounds - 1;
  for (; round >= 0 && me / stride % radix == 0; --round) stride *= radix;
  const auto subtree = [&](std::int64_t v, std::int64_t most) {
    return Extent{ranks.rank(v), static_cast<int>(std::min(most, team.ranks - v))};
  };
  node.ranks = subtree(me, stride);
  if (me > 0) {
    node.parent = ranks.rank(me - me / stride % radix * stride);
    node.round = round;
  }
  while (stride > 1) {
    stride /= radix;
    ++round;
    for (std::int64_t child = me + stride;
         child < std::min<std::int64_t>(me + radix * stride, team.ranks); child += stride)
      node.children.push_back({ranks.rank(child), round, subtree(child, stride)});
  }
  return node;
}

TreeNode high_bit_tree(Team team, Root root, RootPlacement placement) {
  const VirtualRanks ranks(team, root, placement);
  const auto me = static_cast<std::uint64_t>(ranks.me());
  TreeNode node;
  node.period = node.rounds = tree_rounds(team.ranks, 1);
  node.round = static_cast<int>(std::bit_width(me)) - 1;
  if (me > 0) node.parent = ranks.rank(static_cast<std::int64_t>(me ^ std::bit_floor(me)));
  for (int round = node.round + 1; round < node.rounds; ++round) {
    const auto child = static_cast<std::int64_t>(me | std::uint64_t{1} << round);
    if (child < team.ranks) node.children.push_back({ranks.rank(child), round, {}});
  }
  return node;
}

TreeNode k_ary_tree(Team team, Root root, int k) {
  if (k < 1)
    throw std::invalid_argument("a tree whose ranks have " + std::to_string(k) + " children");
  const VirtualRanks ranks(team, root, RootPlacement::rotate);
  const auto depth = [k](std::int64_t v) {
    if (k == 1) return static_cast<int>(v);
    int levels = 0;
    for (; v > 0; v = (v - 1) / k) ++levels;
    return levels;
  };
  TreeNode node;
  node.rounds = depth(team.ranks - 1);
  node.round = depth(ranks.me()) - 1;
  if (ranks.me() > 0) node.parent = ranks.rank((ranks.me() - 1) / k);
  const std::int64_t first = ranks.me() * k + 1;
  for (std::int64_t child = first; child < std::min<std::int64_t>(first + k, team.ranks); ++child)
    node.children.push_back({ranks.rank(child), node.round + 1, {}});
  return node;
}

}  // namespace cartwright::plan
