// SPDX-License-Identifier: Apache-2.0
// The trees of ranks: their structure, and the numbers that the literature gives for them.
#include <cartwright/plan/algorithms/tree.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <string>

namespace cartwright::plan {
namespace {

using MakeTree = std::function<TreeNode(Team, Root)>;

std::vector<TreeNode> nodes(int ranks, int root, const MakeTree& make) {
  std::vector<TreeNode> all;
  for (int me = 0; me < ranks; ++me) all.push_back(make({ranks, me}, {root}));
  return all;
}

MakeTree n_way(int k) {
  return [k](Team team, Root root) { return n_way_tree(team, root, k); };
}
MakeTree k_nomial(int radix) {
  return [radix](Team team, Root root) { return k_nomial_tree(team, root, radix); };
}
MakeTree k_ary(int k) {
  return [k](Team team, Root root) { return k_ary_tree(team, root, k); };
}
MakeTree high_bit(RootPlacement placement) {
  return [placement](Team team, Root root) { return high_bit_tree(team, root, placement); };
}

std::string name(int ranks, int root, int rank) {
  return std::to_string(ranks) + " ranks, root " + std::to_string(root) + ", rank " +
         std::to_string(rank) + ": ";
}

// What is wrong with a tree: that its ranks disagree, that ranges or rounds don't fit.
std::string fault(int ranks, int root, const MakeTree& make) {
  const auto tree = nodes(ranks, root, make);
  std::vector<int> parents(tree.size(), -1);
  int rounds = 0;
  for (int me = 0; me < ranks; ++me) {
    const TreeNode& node = tree[static_cast<std::size_t>(me)];
    int ranks_below = 1;
    int round = node.round;
    for (const TreeChild& child : node.children) {
      const TreeNode& its = tree[static_cast<std::size_t>(child.rank)];
      if (its.parent != me || its.round != child.round)
        return name(ranks, root, me) + "is not the parent of its child";
      if (its.ranks != child.ranks) return name(ranks, root, me) + "its child has another range";
      if (child.round <= node.round || child.round < round)
        return name(ranks, root, me) + "rounds go back";
      round = child.round;
      parents[static_cast<std::size_t>(child.rank)] = me;
      ranks_below += child.ranks.count;
      rounds = std::max(rounds, child.round + 1);
    }
    if (node.ranks.count > 0 && ranks_below != node.ranks.count)
      return name(ranks, root, me) + "its parts don't fill its range";
    if (node.is_root() != (me == root)) return name(ranks, root, me) + "isn't the root";
  }
  for (int me = 0; me < ranks; ++me)
    if (parents[static_cast<std::size_t>(me)] != tree[static_cast<std::size_t>(me)].parent)
      return name(ranks, root, me) + "is no child of its parent";
  if (rounds != tree[0].rounds)
    return name(ranks, root, 0) + "has " + std::to_string(rounds) + " rounds, not " +
           std::to_string(tree[0].rounds);
  return {};
}

TEST(Tree, RanksAgree) {
  const SplitTable table(100, {8, 3, 1});
  const SplitTable reluctant(100, {1, 9, 0});
  const auto split = [](const SplitTable& by) {
    return [&by](Team team, Root root) { return split_tree(team, root, by); };
  };
  const std::vector<MakeTree> trees{n_way(1),
                                    n_way(2),
                                    n_way(5),
                                    aligned_tree,
                                    split(table),
                                    split(reluctant),
                                    k_nomial(2),
                                    k_nomial(3),
                                    k_nomial(10),
                                    high_bit(RootPlacement::rotate),
                                    high_bit(RootPlacement::exclusive_or),
                                    k_ary(1),
                                    k_ary(2),
                                    k_ary(5)};
  for (std::size_t i = 0; i < trees.size(); ++i)
    for (int ranks = 1; ranks <= 70; ++ranks)
      for (int root = 0; root < ranks; ++root)
        ASSERT_EQ(fault(ranks, root, trees[i]), "") << "tree " << i;
}

TEST(Tree, IsAsDeepAsTheLogarithm) {
  EXPECT_EQ(tree_rounds(1, 1), 0);
  EXPECT_EQ(tree_rounds(2, 3), 1);
  EXPECT_EQ(tree_rounds(125, 4), 3);
  EXPECT_EQ(tree_rounds(216, 5), 3);
  EXPECT_EQ(tree_rounds(15625, 4), 6);
  EXPECT_EQ(tree_rounds(46656, 5), 6);
  EXPECT_EQ(tree_rounds(16807, 6), 5);
  EXPECT_EQ(tree_rounds(std::numeric_limits<int>::max(), 1), 31);
}

struct Shape {
  int depth = 0;
  int root_messages = 0;
  int most_interior_blocks = 0;
  int block_hops = 0;
  friend bool operator==(Shape, Shape) = default;
};

Shape shape(int ranks, int root, const MakeTree& make) {
  Shape all;
  for (const TreeNode& node : nodes(ranks, root, make)) {
    all.depth = std::max(all.depth, node.round + 1);
    if (node.is_root()) {
      all.root_messages = static_cast<int>(node.children.size());
    } else {
      all.block_hops += node.ranks.count;
      if (!node.is_leaf())
        all.most_interior_blocks = std::max(all.most_interior_blocks, node.ranks.count);
    }
  }
  return all;
}

TEST(NWayTree, HasDepthAndPartsOfTheLogarithm) {
  for (int k = 1; k <= 16; ++k)
    for (int ranks = 1; ranks <= 300; ranks += ranks < 70 ? 1 : 7) {
      const Shape is = shape(ranks, ranks / 3, n_way(k));
      EXPECT_EQ(is.depth, tree_rounds(ranks, k)) << ranks << " ranks, k " << k;
      EXPECT_LE(is.most_interior_blocks, (ranks + k) / (k + 1)) << ranks << " ranks, k " << k;
    }
  EXPECT_EQ(shape(15625, 0, n_way(4)).depth, 6);
}

TEST(NWayTree, HasThePublishedCounts) {
  EXPECT_EQ(shape(28, 0, n_way(1)), (Shape{5, 5, 14, 64}));
  EXPECT_EQ(shape(28, 0, n_way(3)), (Shape{3, 7, 7, 53}));
  EXPECT_EQ(shape(32, 0, n_way(1)), (Shape{5, 5, 16, 80}));
  EXPECT_EQ(shape(32, 0, n_way(3)), (Shape{3, 7, 8, 64}));
  EXPECT_EQ(shape(9, 0, n_way(2)).depth, 2);
  EXPECT_EQ(shape(8, 0, n_way(1)).depth, 3);
}

TEST(NWayTree, PairsRanksByExclusiveOrOnPowersOfTwo) {
  for (const int ranks : {2, 8, 64})
    for (int root = 0; root < ranks; ++root)
      for (const TreeNode& node : nodes(ranks, root, n_way(1)))
        for (const TreeChild& child : node.children) {
          const TreeNode its = n_way_tree({ranks, child.rank}, {root}, 1);
          EXPECT_EQ(child.rank ^ its.parent, child.ranks.count);
        }
}

TEST(AlignedTree, IsTheBinomialTreeFromRankZero) {
  for (int ranks = 1; ranks <= 70; ++ranks)
    for (int me = 0; me < ranks; ++me) {
      const TreeNode aligned = aligned_tree({ranks, me}, {0});
      const TreeNode binomial = k_nomial_tree({ranks, me}, {0}, 2);
      EXPECT_EQ(aligned.parent, binomial.parent);
      EXPECT_LE(aligned.round, binomial.round);  // fewer where the last group isn't full
      EXPECT_EQ(aligned.ranks, binomial.ranks);
    }
}

// Ticks for which a holder of p blocks takes part, by the definition.
std::vector<Picoseconds> slow_times(int ranks, SplitCosts costs) {
  std::vector<Picoseconds> times(static_cast<std::size_t>(ranks) + 1, 0);
  for (std::size_t p = 2; p < times.size(); ++p) {
    times[p] = std::numeric_limits<Picoseconds>::max();
    for (std::size_t n = 1; n < p; ++n)
      times[p] =
          std::min(times[p], static_cast<Picoseconds>(n) * costs.block +
                                 std::max(costs.message + times[n], costs.gap + times[p - n]));
  }
  return times;
}

TEST(SplitTable, HasThePublishedValues) {
  const SplitTable table(40, {8, 3, 0});
  std::vector<Picoseconds> times;
  for (int p = 2; p <= 9; ++p) times.push_back(table.time(p));
  EXPECT_EQ(times, (std::vector<Picoseconds>{8, 11, 14, 16, 17, 19, 19, 20}));
  EXPECT_EQ(table.time(16), 25);
  EXPECT_EQ(table.time(32), 30);
  EXPECT_EQ(table.time(40), 31);
  EXPECT_EQ(table.split(5), 2);
  EXPECT_EQ(table.split(8), 3);
  EXPECT_EQ(table.split(16), 4);
  EXPECT_EQ(table.split(32), 10);
  const SplitTable with_bytes(32, {8, 3, 1});
  EXPECT_EQ(with_bytes.time(8), 25);
  EXPECT_EQ(with_bytes.time(16), 38);
  EXPECT_EQ(with_bytes.time(32), 58);
}

TEST(SplitTable, FindsTheMinimumOfTheRecurrence) {
  for (const SplitCosts costs : {SplitCosts{8, 3, 0},
                                 {8, 3, 1},
                                 {80, 31, 7},
                                 {100, 1, 0},
                                 {3, 8, 0},
                                 {3, 8, 2},
                                 {0, 0, 1},
                                 {5, 5, 5},
                                 {1000, 1, 3}}) {
    const SplitTable table(300, costs);
    const auto slow = slow_times(300, costs);
    for (int p = 2; p <= 300; ++p) {
      ASSERT_EQ(table.time(p), slow[static_cast<std::size_t>(p)]) << p;
      if (costs.message >= costs.gap) {
        ASSERT_LE(2 * table.split(p), p);
      }
    }
  }
}

// When the last rank has its blocks: LogGP at the end points, c for each block.
template <class Time>
Time finish(const std::vector<TreeNode>& tree, int rank, Time start, Time message, Time gap,
            Time block) {
  Time last = start;
  for (const TreeChild& child : tree[static_cast<std::size_t>(rank)].children) {
    const Time bytes = static_cast<Time>(child.ranks.count) * block;
    last = std::max(last, finish(tree, child.rank, start + message + bytes, message, gap, block));
    start += gap + bytes;
  }
  return last;
}

TEST(SplitTree, TakesTheTimeOfTheTable) {
  for (const SplitCosts costs : {SplitCosts{8, 3, 0}, {8, 3, 1}, {80, 31, 7}, {5, 5, 1}}) {
    const SplitTable table(100, costs);
    for (int ranks = 1; ranks <= 100; ++ranks)
      for (int root = 0; root < ranks; ++root) {
        const auto tree =
            nodes(ranks, root, [&](Team team, Root at) { return split_tree(team, at, table); });
        ASSERT_EQ(finish(tree, root, Picoseconds{0}, costs.message, costs.gap, costs.block),
                  table.time(ranks));
      }
  }
}

TEST(SplitCosts, OfANetwork) {
  const Network network = log_gp(4.5e-6, 2.4e-6, 1.1e-6, 3e-6, 1e-9);
  const SplitCosts costs = split_costs(network, 1000);
  EXPECT_EQ(costs.message, 7'999'000);  // the first byte of a message is free
  EXPECT_EQ(costs.gap, 2'999'000);
  EXPECT_EQ(costs.block, 1'000'000);
}

// L' = 8 µs, g = 3 µs, G = 0.0012 µs / byte; nanoseconds.
TEST(NWayTree, TakesThePublishedTimes) {
  struct Row {
    int ranks;
    int bytes;
    double halving, four_way, optimal;
  };
  for (const Row row : {Row{8, 1, 24.0, 22.0, 19.0},
                        {16, 1024, 50.4, 46.4, 41.4},
                        {28, 4096, 172.7, 163.7, 155.8},
                        {32, 32768, 1258.9, 1254.9, 1241.9}}) {
    const double block = (row.bytes - 1) * 0.0012;
    const auto time = [&](const MakeTree& make) {
      return finish(nodes(row.ranks, 0, make), 0, 0.0, 8.0, 3.0, block);
    };
    const SplitTable table(row.ranks, {8'000'000, 3'000'000, picoseconds(block * 1e-6)});
    EXPECT_LE(time(n_way(1)), row.halving + 0.05);  // a bound
    EXPECT_NEAR(time(n_way(3)), row.four_way, 0.05);
    EXPECT_NEAR(seconds(table.time(row.ranks)) * 1e6, row.optimal, 0.05);
  }
}

// ceil(log_(k + 1) P) (L' + (k - 1) g) + (P - 1) c, which the tree whose surplus goes to children
// exceeds.
TEST(NWayTree, NeverTakesLongerThanItsBound) {
  for (int ranks = 2; ranks <= 40; ++ranks)
    for (int k = 1; k <= 8; ++k)
      for (const int block : {0, 1, 12, 1000}) {
        const int bound = tree_rounds(ranks, k) * (80 + (k - 1) * 30) + (ranks - 1) * block;
        for (const int root : {0, ranks / 2, ranks - 1})
          EXPECT_LE(finish(nodes(ranks, root, n_way(k)), root, 0, 80, 30, block), bound)
              << ranks << " ranks, k " << k << ", c " << block;
      }
}

// Ranks of a grid on nodes: in rank order, or in tiles.
struct Placed {
  int rows, columns;
  int node_size;
  int tile_rows, tile_columns;

  [[nodiscard]] int node(bool tiled, int row, int column) const {
    if (!tiled) return (row * columns + column) / node_size;
    return row / tile_rows * (columns / tile_columns) + column / tile_columns;
  }
};

// Edges between nodes of a broadcast along each row and along each column.
int external_edges(const Placed& grid, bool tiled, int root_row, int root_column,
                   const MakeTree& make) {
  int edges = 0;
  const auto along = [&](int lines, int length, int root, auto node_at) {
    const auto tree = nodes(length, root, make);
    for (int line = 0; line < lines; ++line)
      for (int i = 0; i < length; ++i) {
        const int parent = tree[static_cast<std::size_t>(i)].parent;
        edges += parent >= 0 && node_at(line, i) != node_at(line, parent) ? 1 : 0;
      }
  };
  along(grid.rows, grid.columns, root_column,
        [&](int row, int column) { return grid.node(tiled, row, column); });
  along(grid.columns, grid.rows, root_row,
        [&](int column, int row) { return grid.node(tiled, row, column); });
  return edges;
}

double mean_over_roots(const Placed& grid, bool tiled, const MakeTree& make) {
  double sum = 0;
  const int roots = std::lcm(grid.rows, grid.columns);
  for (int root = 0; root < roots; ++root)
    sum += external_edges(grid, tiled, root % grid.rows, root % grid.columns, make);
  return sum / roots;
}

struct EdgeRow {
  Placed grid;
  int in_order[3], tiled[3];            // chain, low bit first, high bit first
  int mean_in_order[3], mean_tiled[3];  // over roots, rotated
};

constexpr EdgeRow edge_rows[] = {
    {{8, 8, 8, 2, 4}, {56, 56, 56}, {32, 32, 80}, {56, 56, 56}, {42, 64, 94}},
    {{8, 12, 8, 2, 4}, {92, 96, 132}, {52, 52, 136}, {99, 111, 133}, {64, 100, 152}},
    {{24, 24, 12, 3, 4}, {576, 600, 840}, {288, 432, 984}, {598, 656, 850}, {322, 576, 1030}},
    {{32, 32, 64, 8, 8}, {480, 480, 960}, {192, 192, 1536}, {496, 736, 976}, {248, 576, 1704}}};

TEST(BroadcastTrees, CrossNodesAsPublished) {
  const MakeTree trees[] = {k_ary(1), k_nomial(2), high_bit(RootPlacement::rotate)};
  for (const EdgeRow& row : edge_rows)
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(external_edges(row.grid, false, 0, 0, trees[i]), row.in_order[i]) << i;
      EXPECT_EQ(external_edges(row.grid, true, 0, 0, trees[i]), row.tiled[i]) << i;
      EXPECT_NEAR(mean_over_roots(row.grid, false, trees[i]), row.mean_in_order[i], 0.5) << i;
      EXPECT_NEAR(mean_over_roots(row.grid, true, trees[i]), row.mean_tiled[i], 0.5) << i;
    }
  EXPECT_EQ(external_edges({16, 16, 16, 4, 4}, false, 0, 0, trees[2]), 240);
  EXPECT_EQ(external_edges({16, 16, 16, 4, 4}, true, 0, 0, trees[2]), 384);
}

// Aligned groups stay together whatever the root.
TEST(BroadcastTrees, ExclusiveOrKeepsTheEdgesOfRootZero) {
  const Placed grid{32, 32, 64, 8, 8};
  EXPECT_EQ(mean_over_roots(grid, false, aligned_tree), 480.0);
  EXPECT_EQ(mean_over_roots(grid, true, aligned_tree), 192.0);
  EXPECT_EQ(mean_over_roots({8, 12, 8, 2, 4}, true, aligned_tree), 52.0);
}

}  // namespace
}  // namespace cartwright::plan
