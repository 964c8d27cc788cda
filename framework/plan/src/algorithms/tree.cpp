// SPDX-License-Identifier: Apache-2.0
#include <cartwright/plan/algorithms/tree.hpp>

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>

namespace cartwright::plan {

namespace {

// A part of a range that its holder passes on.
struct RangePart {
  Extent ranks;
  int holder = 0;
};

// Follows the holders of ever shorter ranges from the root down to one rank. `split(range, holder,
// parts)` fills in the parts that are passed on in a round and returns the one that the holder
// keeps.
template <class Split>
TreeNode descend_ranges(Team team, Root root, Split split) {
  require_root(team, root);
  TreeNode node;
  RangePart at{{0, team.ranks}, root.rank};
  node.ranks = at.ranks;
  std::vector<RangePart> parts;
  for (int round = 0; at.ranks.count > 1; ++round) {
    parts.clear();
    const Extent kept = split(at.ranks, at.holder, parts);
    if (at.holder == team.me)
      for (const RangePart& part : parts) node.children.push_back({part.holder, round, part.ranks});
    const auto mine = std::ranges::find_if(parts, [&](const RangePart& part) {
      return part.ranks.first <= team.me && team.me < part.ranks.first + part.ranks.count;
    });
    if (mine == parts.end()) {
      at.ranks = kept;
      continue;
    }
    if (mine->holder == team.me) {
      node.parent = at.holder;
      node.round = round;
      node.ranks = mine->ranks;
    }
    at = *mine;
  }
  return node;
}

// The child stands in its part as the holder stands in its own, as far as the part reaches.
RangePart range_part(int first, int count, int offset) {
  return {{first, count}, first + std::min(offset, count - 1)};
}

Extent split_evenly(Extent range, int holder, int fan_out, std::vector<RangePart>& parts) {
  const int pieces = std::min(fan_out + 1, range.count);
  const int shorter = range.count / pieces;
  const int longer = range.count % pieces;  // so many pieces have one rank more
  const int at = holder - range.first;
  const int in_longer = longer * (shorter + 1);
  const int own = at < in_longer ? at / (shorter + 1) : longer + (at - in_longer) / shorter;
  // The holder's piece is a long one: it takes the rank of the last long piece that it may.
  const int last_long = own < longer ? longer - 1 : longer - 2;
  const auto length = [&](int piece) {
    return piece <= last_long || (longer > 0 && piece == own) ? shorter + 1 : shorter;
  };
  int first = range.first;
  for (int piece = 0; piece < own; ++piece) first += length(piece);
  const Extent kept{first, length(own)};
  const int offset = holder - first;
  first = range.first;
  for (int piece = 0; piece < pieces; first += length(piece++))
    if (piece != own) parts.push_back(range_part(first, length(piece), offset));
  return kept;
}

Extent split_aligned(Extent range, int holder, std::vector<RangePart>& parts) {
  const auto cut =
      static_cast<int>(std::bit_floor(static_cast<unsigned>(range.count) - 1));  // < count
  const Extent low{range.first, cut};
  const Extent high{range.first + cut, range.count - cut};
  const bool in_low = holder < high.first;
  const Extent passed = in_low ? high : low;
  parts.push_back(
      range_part(passed.first, passed.count, holder - (in_low ? low.first : high.first)));
  return in_low ? low : high;
}

// Passes on the upper or the lower end of the range. Children stand next to the ranks that the
// holder keeps, at an end of their part, and so can always pass on as many as the table says.
Extent split_off(Extent range, int holder, int wanted, std::vector<RangePart>& parts) {
  const int below = holder - range.first;
  const int above = range.count - 1 - below;
  if (above >= std::min(wanted, below)) {
    const int count = std::min(wanted, above);
    const int first = range.first + range.count - count;
    parts.push_back({{first, count}, first});
    return {range.first, range.count - count};
  }
  const int count = std::min(wanted, below);
  parts.push_back({{range.first, count}, range.first + count - 1});
  return {range.first + count, range.count - count};
}

// Where a root in the middle may not follow the table: the rounds that its messages lead to.
int rounds_from_the_middle(Extent range, int root, const SplitTable& table) {
  int rounds = 0;
  std::vector<RangePart> parts;
  for (int round = 1; range.count > 1; ++round) {
    parts.clear();
    range = split_off(range, root, table.split(range.count), parts);
    rounds = std::max(rounds, round + table.rounds(parts.front().ranks.count));
  }
  return rounds;
}

}  // namespace

int tree_rounds(int ranks, int fan_out) {
  int rounds = 0;
  for (std::int64_t served = 1; served < ranks; served *= fan_out + 1) ++rounds;
  return rounds;
}

void require_root(Team team, Root root) {
  if (root.rank < 0 || root.rank >= team.ranks)
    throw std::invalid_argument("rank " + std::to_string(root.rank) + " can't be the root of " +
                                std::to_string(team.ranks) + " ranks");
}

TreeNode n_way_tree(Team team, Root root, int fan_out) {
  if (fan_out < 1)
    throw std::invalid_argument("a tree with a fan-out of " + std::to_string(fan_out));
  TreeNode node =
      descend_ranges(team, root, [&](Extent range, int holder, std::vector<RangePart>& parts) {
        return split_evenly(range, holder, fan_out, parts);
      });
  node.period = node.rounds = tree_rounds(team.ranks, fan_out);
  return node;
}

TreeNode aligned_tree(Team team, Root root) {
  TreeNode node = descend_ranges(team, root, split_aligned);
  node.period = node.rounds = tree_rounds(team.ranks, 1);
  return node;
}

TreeNode split_tree(Team team, Root root, const SplitTable& table) {
  if (team.ranks > table.ranks())
    throw std::invalid_argument("a split table for " + std::to_string(table.ranks()) +
                                " ranks can't split " + std::to_string(team.ranks));
  TreeNode node =
      descend_ranges(team, root, [&](Extent range, int holder, std::vector<RangePart>& parts) {
        return split_off(range, holder, table.split(range.count), parts);
      });
  const bool at_an_end = root.rank == 0 || root.rank == team.ranks - 1;
  node.rounds = at_an_end ? table.rounds(team.ranks)
                          : rounds_from_the_middle({0, team.ranks}, root.rank, table);
  node.period = node.rounds;
  return node;
}

}  // namespace cartwright::plan
