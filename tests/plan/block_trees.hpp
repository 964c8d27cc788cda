// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/algorithms/split_table.hpp>
#include <memory>
#include <ostream>
#include <vector>

#include "rooted_sweep.hpp"

namespace cartwright::plan::test {

/// A way to scatter, or to gather.
struct BlockTree {
  const char* name;
  RootedGenerator make;
};

inline void PrintTo(const BlockTree& tree, std::ostream* out) {
  *out << tree.name;
}

/// What scatter and gather are tested with: the generators of one of them, with all that they take.
inline std::vector<BlockTree> block_trees(Schedule (*linear)(Team, Root),
                                          Schedule (*recursive_splitting)(Team, Root),
                                          Schedule (*n_way_binomial)(Team, Root, int),
                                          Schedule (*optimal)(Team, Root, const SplitTable&)) {
  const auto n_way = [=](int k) -> RootedGenerator {
    return [=](Team team, Root root) { return n_way_binomial(team, root, k); };
  };
  // The table has to live as long as the generator.
  const auto split = [=](SplitCosts costs) -> RootedGenerator {
    return [optimal, table = std::make_shared<SplitTable>(5000, costs)](Team team, Root root) {
      return optimal(team, root, *table);
    };
  };
  return {{"linear", linear},
          {"recursive_splitting", recursive_splitting},
          {"n_way_2", n_way(2)},
          {"n_way_3", n_way(3)},
          {"n_way_7", n_way(7)},
          {"n_way_100", n_way(100)},
          {"optimal", split({8, 3, 0})},
          {"optimal_bytes", split({8, 3, 1})},
          {"optimal_gap_longer", split({2, 9, 1})}};
}

}  // namespace cartwright::plan::test
