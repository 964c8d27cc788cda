// SPDX-License-Identifier: Apache-2.0
#include <cartwright/plan/algorithms/gather.hpp>
#include <cartwright/plan/builder.hpp>

#include <algorithm>

namespace cartwright::plan::gather {

namespace {

Builder start(Team team, bool is_root) {
  return {team,
          {.blocks = team.ranks, .input = {team.me, 1}, .output = {0, is_root ? team.ranks : 0}}};
}

Schedule up(Team team, const TreeNode& node) {
  Builder build = start(team, node.is_root());
  build.reserve(node.children.size() + 2);
  Buffer held = node.is_root() ? Buffer::output : Buffer::input;
  if (!node.is_leaf() && !node.is_root()) held = build.scratch(node.ranks.first, node.ranks.count);
  // Own block first: it isn't waited for.
  if (held != Buffer::input) build.copy(build.input(team.me), {held, team.me, 1});
  std::for_each(node.children.rbegin(), node.children.rend(), [&](const TreeChild& child) {
    build.set_round(node.rounds - 1 - child.round);
    build.receive(child.rank, {held, child.ranks.first, child.ranks.count});
  });
  if (!node.is_root()) {
    build.set_round(node.rounds - 1 - node.round);
    build.send(node.parent, {held, node.ranks.first, node.ranks.count});
  }
  return std::move(build).finish(node.rounds);
}

}  // namespace

Schedule linear(Team team, Root root) {
  require_root(team, root);
  Builder build = start(team, team.me == root.rank);
  if (team.me != root.rank) {
    build.send(root.rank, build.input(team.me));
    return std::move(build).finish(1);
  }
  build.reserve(static_cast<std::size_t>(team.ranks));
  build.copy(build.input(team.me), build.output(team.me));
  for (int from = 0; from < team.ranks; ++from)
    if (from != team.me) build.receive(from, build.output(from));
  return std::move(build).finish(1);
}

Schedule recursive_splitting(Team team, Root root) {
  return n_way_binomial(team, root, 1);
}

Schedule n_way_binomial(Team team, Root root, int k) {
  return up(team, n_way_tree(team, root, k));
}

Schedule optimal(Team team, Root root, const SplitTable& table) {
  return up(team, split_tree(team, root, table));
}

}  // namespace cartwright::plan::gather
