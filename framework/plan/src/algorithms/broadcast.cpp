// SPDX-License-Identifier: Apache-2.0
#include <cartwright/plan/algorithms/broadcast.hpp>
#include <cartwright/plan/builder.hpp>

#include <bit>
#include <stdexcept>
#include <string>

namespace cartwright::plan::broadcast {

namespace {

Schedule along(Team team, const TreeNode& node, int segments) {
  if (segments < 1)
    throw std::invalid_argument("a broadcast in " + std::to_string(segments) + " segments");
  Builder build(team, {.blocks = segments, .output = {0, segments}});
  build.reserve(static_cast<std::size_t>(segments) * (node.children.size() + 1));
  // In a round the sends of a segment stand before the receive of the next one.
  for (int segment = 0; segment < segments; ++segment) {
    const int start = segment * node.period;
    if (!node.is_root()) {
      build.set_round(start + node.round);
      build.receive(node.parent, build.output(segment));
    }
    for (const TreeChild& child : node.children) {
      build.set_round(start + child.round);
      build.send(child.rank, build.output(segment));
    }
  }
  return std::move(build).finish(team.ranks == 1 ? 0 : node.rounds + (segments - 1) * node.period);
}

// The blocks that a rank has after the scatter.
bool has(Extent range, int first, int count) {
  return range.first <= first && first + count <= range.first + range.count;
}

void spread_along_ring(Builder& build, Root root, Extent mine) {
  const Team team = build.team();
  const int next = (team.me + 1) % team.ranks;
  const int previous = (team.me + team.ranks - 1) % team.ranks;
  const Extent its = n_way_tree({team.ranks, next}, root, 1).ranks;
  for (int step = 0; step < team.ranks - 1; ++step) {
    const int passed = (team.me - step + team.ranks) % team.ranks;
    const int expected = (previous - step + team.ranks) % team.ranks;
    if (!has(its, passed, 1)) build.send(next, build.output(passed));
    if (!has(mine, expected, 1)) build.receive(previous, build.output(expected));
    build.next_round();
  }
}

void spread_by_doubling(Builder& build, Root root, Extent mine) {
  const Team team = build.team();
  for (int count = 1; count < team.ranks; count *= 2) {
    const int peer = team.me ^ count;
    const int own_group = team.me & -count;
    const int its_group = peer & -count;
    if (!has(n_way_tree({team.ranks, peer}, root, 1).ranks, own_group, count))
      build.send(peer, build.output(own_group, count));
    if (!has(mine, its_group, count)) build.receive(peer, build.output(its_group, count));
    build.next_round();
  }
}

}  // namespace

Schedule linear(Team team, Root root) {
  require_root(team, root);
  Builder build(team, {.blocks = 1, .output = {0, 1}});
  if (team.me == root.rank) {
    build.reserve(static_cast<std::size_t>(team.ranks));
    for (int i = 1; i < team.ranks; ++i) build.send((team.me + i) % team.ranks, build.output(0));
  } else {
    build.receive(root.rank, build.output(0));
  }
  return std::move(build).finish(1);
}

Schedule binomial_low_bit_first(Team team, Root root, RootPlacement placement, int segments) {
  const bool rotates = placement == RootPlacement::rotate;
  return along(team, rotates ? k_nomial_tree(team, root, 2) : aligned_tree(team, root), segments);
}

Schedule binomial_high_bit_first(Team team, Root root, RootPlacement placement, int segments) {
  return along(team, high_bit_tree(team, root, placement), segments);
}

Schedule k_ary(Team team, Root root, int k, int segments) {
  return along(team, k_ary_tree(team, root, k), segments);
}

Schedule k_nomial(Team team, Root root, int radix, int segments) {
  return along(team, k_nomial_tree(team, root, radix), segments);
}

Schedule chain(Team team, Root root, int segments) {
  return along(team, k_ary_tree(team, root, 1), segments);
}

Schedule scatter_allgather(Team team, Root root, Spread spread) {
  const TreeNode node = n_way_tree(team, root, 1);
  Builder build(team, {.blocks = team.ranks, .output = {0, team.ranks}});
  build.set_round(node.round);
  if (!node.is_root()) build.receive(node.parent, build.output(node.ranks.first, node.ranks.count));
  for (const TreeChild& child : node.children) {
    build.set_round(child.round);
    build.send(child.rank, build.output(child.ranks.first, child.ranks.count));
  }
  build.set_round(node.rounds);
  const bool doubles = std::has_single_bit(static_cast<unsigned>(team.ranks));
  if (spread == Spread::recursive_doubling && doubles) {
    spread_by_doubling(build, root, node.ranks);
  } else {
    spread_along_ring(build, root, node.ranks);
  }
  return std::move(build).finish();
}

}  // namespace cartwright::plan::broadcast
