// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/plan/models/scatter_tree_cost.hpp>
#include <map>
#include <utility>
#include <vector>

namespace cartwright::plan::formulas {
namespace {

/// Calls `send(blocks)` for each child of a round of the holder of `held` blocks; returns what the
/// holder keeps. The holder's part and the first children are one larger if the split is uneven.
template <class Send>
Count split_scatter_range(Count held, int fanout, const Send& send) {
  const Count parts = std::min<Count>(fanout + 1, held);
  const Count surplus = held % parts;
  for (Count part = 1; part < parts; ++part) send(held / parts + (part < surplus ? 1 : 0));
  return held / parts + (surplus > 0 ? 1 : 0);
}

/// The counts below one holder, and by round the blocks of the largest inner rank.
struct ScatterSubtree {
  ScatterTreeCounts counts;
  std::vector<Count> inner_by_round;

  void add_child(std::size_t round, Count blocks, const ScatterSubtree& child) {
    const std::size_t rounds = round + 1 + child.inner_by_round.size();
    inner_by_round.resize(std::max(inner_by_round.size(), rounds), 0);
    inner_by_round[round] = std::max(inner_by_round[round], blocks > 1 ? blocks : 0);
    for (std::size_t later = 0; later < child.inner_by_round.size(); ++later) {
      Count& largest = inner_by_round[round + 1 + later];
      largest = std::max(largest, child.inner_by_round[later]);
    }
    ++counts.root_messages;
    counts.block_hops += blocks + child.counts.block_hops;
  }

  void conclude() {
    counts.rounds = static_cast<int>(inner_by_round.size());
    for (const Count blocks : inner_by_round) {
      counts.largest_inner = std::max(counts.largest_inner, blocks);
      counts.copied_blocks += blocks;
    }
  }
};

struct ScatterTreeWalk {
  int fanout;
  std::map<Count, ScatterSubtree> known{};

  const ScatterSubtree& below(Count held) {
    if (const auto found = known.find(held); found != known.end()) return found->second;
    ScatterSubtree subtree;
    std::size_t round = 0;
    for (Count left = held; left > 1; ++round) {
      left = split_scatter_range(
          left, fanout, [&](Count blocks) { subtree.add_child(round, blocks, below(blocks)); });
    }
    subtree.conclude();
    return known[held] = std::move(subtree);
  }
};

struct ScatterTreeClock {
  const LogGp& model;
  Count bytes;
  int fanout;
  Form form;
  std::map<Count, double> known{};

  [[nodiscard]] double message_time(Count blocks) const {
    if (bytes == 0) return 0.0;
    const Count charged = form == Form::exact ? blocks * bytes - 1 : blocks * (bytes - 1);
    return static_cast<double>(charged) * model.byte_time;
  }

  /// From when a rank has received `held` blocks until its whole subtree has.
  double below(Count held) {
    if (const auto found = known.find(held); found != known.end()) return found->second;
    double end = 0.0;
    double start = 0.0;
    for (Count left = held; left > 1;) {
      left = split_scatter_range(left, fanout, [&](Count blocks) {
        const double on_the_wire = message_time(blocks);
        end = std::max(end, start + model.one_way() + on_the_wire + below(blocks));
        start += std::max(model.send_overhead, model.gap + on_the_wire);
      });
    }
    return known[held] = end;
  }
};

}  // namespace

ScatterTreeCounts scatter_tree_counts(Count ranks, int fanout) {
  return ScatterTreeWalk{fanout}.below(ranks).counts;
}

double n_way_scatter_end(const LogGp& model, Count ranks, Count bytes, int fanout, Form form) {
  return ScatterTreeClock{model, bytes, fanout, form}.below(ranks);
}

double copy_byte_time_of_tie(const LogGp& model, Count ranks, Count bytes, int fanout) {
  const double linear = LogGpScatter{model, ranks, bytes}.linear();
  const Count copied = scatter_tree_counts(ranks, fanout).copied_blocks * bytes;
  return (linear - n_way_scatter_end(model, ranks, bytes, fanout)) / static_cast<double>(copied);
}

}  // namespace cartwright::plan::formulas
