// SPDX-License-Identifier: Apache-2.0
#include <cartwright/plan/algorithms/reduce.hpp>
#include <cartwright/plan/builder.hpp>

#include <algorithm>
#include <stdexcept>
#include <string>

namespace cartwright::plan::reduce {

namespace {

Builder start(Team team, Root root, int blocks) {
  return {
      team,
      {.blocks = blocks, .input = {0, blocks}, .output = {0, team.me == root.rank ? blocks : 0}}};
}

// Before a part joins, those between it and this rank must have: the last rounds come first, and of
// one round the nearest on each side.
std::vector<TreeChild> in_joining_order(TreeNode node, int me) {
  std::ranges::sort(node.children, {}, [me](const TreeChild& child) {
    return std::pair(-child.round, std::abs(child.rank - me));
  });
  return std::move(node.children);
}

Schedule up(Team team, Root root, const TreeNode& node) {
  Builder build = start(team, root, 1);
  build.reserve(node.children.size() + 1);
  const bool adds = !node.is_leaf() && !node.is_root();
  const Slice sum{adds ? build.scratch(0) : Buffer::output, 0, 1};
  Slice so_far = build.input(0);
  for (const TreeChild& child : in_joining_order(node, team.me)) {
    build.set_round(node.rounds - 1 - child.round);
    build.receive_combine(child.rank, child.rank < team.me ? Side::left : Side::right, so_far, sum);
    so_far = sum;
  }
  if (!node.is_root()) {
    build.set_round(node.rounds - 1 - node.round);
    build.send(node.parent, so_far);
  } else {
    build.copy(so_far, sum);  // alone
  }
  return std::move(build).finish(node.rounds);
}

// Slices of whole blocks lie in rank order in `held`, one block on each rank.
void gather_blocks(Builder& build, Root root, Buffer held) {
  const Team team = build.team();
  const TreeNode node = n_way_tree(team, root, 1);
  const int begin = build.round() + node.rounds - 1;
  std::for_each(node.children.rbegin(), node.children.rend(), [&](const TreeChild& child) {
    build.set_round(begin - child.round);
    build.receive(child.rank, {held, child.ranks.first, child.ranks.count});
  });
  if (!node.is_root()) {
    build.set_round(begin - node.round);
    build.send(node.parent, {held, node.ranks.first, node.ranks.count});
  }
}

}  // namespace

Schedule binomial(Team team, Root root) {
  return up(team, root, aligned_tree(team, root));
}

Schedule n_way_binomial(Team team, Root root, int k) {
  return up(team, root, n_way_tree(team, root, k));
}

Schedule ring(Team team, Root root) {
  require_root(team, root);
  const int ranks = team.ranks;
  Builder build = start(team, root, ranks);
  build.reserve(2 * static_cast<std::size_t>(ranks) + 20);
  if (ranks == 1) build.copy(build.input(0), build.output(0));
  const Buffer sums = team.me == root.rank ? Buffer::output : build.scratch(0, ranks);
  const int left = (team.me + ranks - 1) % ranks;
  const int right = (team.me + 1) % ranks;
  for (int step = 0; step < ranks - 1; ++step) {
    const int passed = (right + step) % ranks;
    const int joined = (passed + 1) % ranks;
    build.send(left, step == 0 ? build.input(passed) : Slice{sums, passed, 1});
    build.receive_combine(right, Side::right, build.input(joined), {sums, joined, 1});
    build.next_round();
  }
  gather_blocks(build, root, sums);
  return std::move(build).finish(ranks - 1 + tree_rounds(ranks, 1));
}

Schedule pipeline(Team team, Root root, int segments) {
  require_root(team, root);
  if (segments < 1)
    throw std::invalid_argument("a reduction in " + std::to_string(segments) + " segments");
  Builder build = start(team, root, segments);
  build.reserve(3 * static_cast<std::size_t>(segments));
  if (team.ranks == 1) {
    build.copy(build.input(0, segments), build.output(0, segments));
    return std::move(build).finish();
  }
  const int distance = std::abs(team.me - root.rank);
  const bool has_lower = team.me > 0 && team.me <= root.rank;
  const bool has_upper = team.me < team.ranks - 1 && team.me >= root.rank;
  const bool adds = distance > 0 && (has_lower || has_upper);
  const Buffer sums = adds ? build.scratch(0, segments) : Buffer::output;
  const int towards_root = team.me < root.rank ? team.me + 1 : team.me - 1;
  const int longest = std::max(root.rank, team.ranks - 1 - root.rank);
  for (int segment = 0; segment < segments; ++segment) {
    Slice so_far = build.input(segment);
    const Slice sum{sums, segment, 1};
    build.set_round(longest - distance - 1 + segment);
    if (has_lower) {
      build.receive_combine(team.me - 1, Side::left, so_far, sum);
      so_far = sum;
    }
    if (has_upper) {
      build.receive_combine(team.me + 1, Side::right, so_far, sum);
      so_far = sum;
    }
    if (distance == 0) continue;
    build.set_round(longest - distance + segment);
    build.send(towards_root, so_far);
  }
  return std::move(build).finish(longest + segments - 1);
}

}  // namespace cartwright::plan::reduce
