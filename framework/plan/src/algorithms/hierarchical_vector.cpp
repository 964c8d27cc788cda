// SPDX-License-Identifier: Apache-2.0
#include <cartwright/plan/algorithms/allreduce.hpp>
#include <cartwright/plan/algorithms/broadcast.hpp>
#include <cartwright/plan/algorithms/hierarchical.hpp>
#include <cartwright/plan/algorithms/reduce.hpp>

#include "level_view.hpp"

#include <utility>
#include <vector>

namespace cartwright::plan::hierarchical {

namespace {

Schedule default_broadcast(Team team, Root root) {
  return plan::broadcast::binomial_low_bit_first(team, root, RootPlacement::rotate);
}

Schedule default_reduce(Team team, Root root) {
  return plan::reduce::binomial(team, root);
}

// Operations on a vector of which all ranks have all blocks.
class VectorLevels {
 public:
  VectorLevels(Team team, Root root, const Hierarchy& hierarchy) : view_(team, root, hierarchy) {}

  [[nodiscard]] const LevelView& view() const { return view_; }
  [[nodiscard]] int blocks() const { return blocks_; }

  // Stages are planned first: only together they say how many blocks there are.
  void plan(int level, Rooted algorithm) {
    const LevelShape shape = shape_on(view_, level, algorithm);
    blocks_ = common_blocks(blocks_, shape.blocks);
    stages_.push_back({level, shape.rounds, std::move(algorithm)});
  }

  // Adds the next stage. Same buffers: in place, for the one that leads the team if `only_root`.
  void add(Sequence& whole, Buffer input, Buffer output, bool only_root) {
    const Stage& stage = stages_[next_++];
    if (view_.represents(stage.level)) {
      const bool writes = !only_root || view_.leads(stage.level);
      const Place place = writes && input == output ? Place::in_place : Place::separate;
      const Schedule part =
          stage.algorithm(view_.team_on(stage.level, place), view_.root_on(stage.level));
      whole.add(part, {view_.ranks_on(stage.level), blocks_shared(part.blocks(), blocks_), input,
                       output});
    }
    whole.next(stage.rounds);
  }

  // Reductions outwards to level `to`, the first of them of the input, into `partial`.
  void add_reductions(Sequence& whole, int to, Buffer partial) {
    const Buffer own = whole.builder().input(0, blocks_).buffer;
    for (int level = view_.last(); level >= to; --level)
      add(whole, level == view_.last() ? own : partial, partial, true);
  }

 private:
  struct Stage {
    int level = 0;
    int rounds = 0;
    Rooted algorithm{};
  };

  LevelView view_;
  int blocks_ = 1;
  std::vector<Stage> stages_;
  std::size_t next_ = 0;
};

}  // namespace

Schedule broadcast(Team team, Root root, const Hierarchy& hierarchy, const ByLevel& levels) {
  VectorLevels stages(team, root, hierarchy);
  for (int level = 0; level < hierarchy.levels(); ++level)
    stages.plan(level, algorithm_on(levels, default_broadcast, level, 0));
  Sequence whole(team, {.blocks = stages.blocks(), .output = {0, stages.blocks()}});
  for (int level = 0; level < hierarchy.levels(); ++level)
    stages.add(whole, Buffer::output, Buffer::output, true);
  return std::move(whole).finish();
}

Schedule reduce(Team team, Root root, const Hierarchy& hierarchy, const ByLevel& levels) {
  VectorLevels stages(team, root, hierarchy);
  const LevelView& view = stages.view();
  for (int level = view.last(); level >= 0; --level)
    stages.plan(level, algorithm_on(levels, default_reduce, level, 0));
  const int blocks = stages.blocks();
  Sequence whole(
      team, {.blocks = blocks, .input = {0, blocks}, .output = {0, view.is_root() ? blocks : 0}});
  Buffer partial = Buffer::output;
  if (!view.is_root() && view.leads(view.last())) partial = whole.builder().scratch(0, blocks);
  stages.add_reductions(whole, 0, partial);
  return std::move(whole).finish();
}

Schedule allreduce(Team team, const Hierarchy& hierarchy, const AcrossGroups& algorithms) {
  VectorLevels stages(team, {hierarchy.rank_at(0)}, hierarchy);
  const int last = stages.view().last();
  const Flat across =
      algorithms.across ? algorithms.across : Flat(plan::allreduce::recursive_doubling);
  for (int level = last; level > 0; --level)
    stages.plan(level, algorithm_on(algorithms.before, default_reduce, level, 1));
  stages.plan(0, [&](Team leaders, Root) { return across(leaders); });
  for (int level = 1; level <= last; ++level)
    stages.plan(level, algorithm_on(algorithms.after, default_broadcast, level, 1));
  const int blocks = stages.blocks();
  Sequence whole(team, {.blocks = blocks, .input = {0, blocks}, .output = {0, blocks}});
  stages.add_reductions(whole, 1, Buffer::output);
  stages.add(whole, last == 0 ? whole.builder().input(0, blocks).buffer : Buffer::output,
             Buffer::output, false);
  for (int level = 1; level <= last; ++level)
    stages.add(whole, Buffer::output, Buffer::output, true);
  return std::move(whole).finish();
}

}  // namespace cartwright::plan::hierarchical
