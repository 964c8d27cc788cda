// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/plan/scatter_tree_cost.hpp>
#include <map>

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

struct ScatterTreeWalk {
  int fanout;
  std::map<Count, ScatterTreeCounts> known{};

  const ScatterTreeCounts& below(Count held) {
    if (const auto found = known.find(held); found != known.end()) return found->second;
    ScatterTreeCounts counts;
    int round = 0;
    for (Count left = held; left > 1;) {
      ++round;
      left = split_scatter_range(left, fanout, [&](Count blocks) {
        const ScatterTreeCounts& child = below(blocks);
        counts.rounds = std::max(counts.rounds, round + child.rounds);
        ++counts.root_messages;
        const Count inner = std::max(child.largest_inner, blocks > 1 ? blocks : 0);
        counts.largest_inner = std::max(counts.largest_inner, inner);
        counts.block_hops += blocks + child.block_hops;
      });
    }
    return known[held] = counts;
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
  return ScatterTreeWalk{fanout}.below(ranks);
}

double n_way_scatter_end(const LogGp& model, Count ranks, Count bytes, int fanout, Form form) {
  return ScatterTreeClock{model, bytes, fanout, form}.below(ranks);
}

}  // namespace cartwright::plan::formulas
