// SPDX-License-Identifier: Apache-2.0
#include <cartwright/plan/algorithms/scatter.hpp>
#include <cartwright/plan/builder.hpp>

namespace cartwright::plan::scatter {

namespace {

Builder start(Team team, bool is_root) {
  const bool keeps = is_root && team.place == Place::in_place;
  return {team,
          {.blocks = team.ranks,
           .input = {0, is_root ? team.ranks : 0},
           .output = {team.me, keeps ? 0 : 1}}};
}

Schedule down(Team team, const TreeNode& node) {
  Builder build = start(team, node.is_root());
  build.reserve(node.children.size() + 2);
  Buffer held = Buffer::input;
  if (!node.is_root()) {
    held = node.is_leaf() ? Buffer::output : build.scratch(node.ranks.first, node.ranks.count);
    build.set_round(node.round);
    build.receive(node.parent, {held, node.ranks.first, node.ranks.count});
  }
  for (const TreeChild& child : node.children) {
    build.set_round(child.round);
    build.send(child.rank, {held, child.ranks.first, child.ranks.count});
  }
  if (held != Buffer::output && !(node.is_root() && team.place == Place::in_place))
    build.copy({held, team.me, 1}, build.output(team.me));
  return std::move(build).finish(node.rounds);
}

}  // namespace

Schedule linear(Team team, Root root) {
  require_root(team, root);
  Builder build = start(team, team.me == root.rank);
  if (team.me != root.rank) {
    build.receive(root.rank, build.output(team.me));
    return std::move(build).finish(1);
  }
  build.reserve(static_cast<std::size_t>(team.ranks));
  for (int to = 0; to < team.ranks; ++to)
    if (to != team.me) build.send(to, {Buffer::input, to, 1});
  if (team.place == Place::separate) build.copy({Buffer::input, team.me, 1}, build.output(team.me));
  return std::move(build).finish(1);
}

Schedule recursive_splitting(Team team, Root root) {
  return n_way_binomial(team, root, 1);
}

Schedule n_way_binomial(Team team, Root root, int k) {
  return down(team, n_way_tree(team, root, k));
}

Schedule optimal(Team team, Root root, const SplitTable& table) {
  return down(team, split_tree(team, root, table));
}

}  // namespace cartwright::plan::scatter
