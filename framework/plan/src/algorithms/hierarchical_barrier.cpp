// SPDX-License-Identifier: Apache-2.0
#include <cartwright/plan/algorithms/barrier.hpp>
#include <cartwright/plan/algorithms/hierarchical.hpp>

#include "level_view.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace cartwright::plan::hierarchical {

namespace {

struct BarrierStage {
  int level = 0;
  Flat algorithm{};
};

std::vector<BarrierStage> barrier_stages(int levels, const BarrierLevels& chosen) {
  const Flat in =
      chosen.before ? chosen.before : [](Team team) { return plan::barrier::fan_in(team); };
  const Flat out =
      chosen.after ? chosen.after : [](Team team) { return plan::barrier::fan_out(team); };
  std::vector<BarrierStage> stages;
  for (int level = levels - 1; level > 0; --level) stages.push_back({level, in});
  stages.push_back({0, chosen.across ? chosen.across : [](Team team) {
                      return plan::barrier::dissemination(team);
                    }});
  for (int level = 1; level < levels; ++level) stages.push_back({level, out});
  return stages;
}

}  // namespace

Schedule barrier(Team team, const Hierarchy& hierarchy, const BarrierLevels& algorithms) {
  const LevelView view(team, {hierarchy.rank_at(0)}, hierarchy);
  const auto stages = barrier_stages(hierarchy.levels(), algorithms);
  // The signals of each stage have their own blocks, as many as its largest team needs.
  std::vector<int> first_signal{0};
  std::vector<int> rounds;
  for (const BarrierStage& stage : stages) {
    int signals = 0;
    int most_rounds = 0;
    view.for_each_kind(stage.level, [&](Team kind, Root) {
      const Schedule schedule = stage.algorithm(kind);
      signals = std::max(signals, schedule.blocks() - 1);
      most_rounds = std::max(most_rounds, schedule.rounds());
    });
    first_signal.push_back(first_signal.back() + signals);
    rounds.push_back(most_rounds);
  }
  Sequence whole(team, {.blocks = first_signal.back() + 1, .signals = true});
  for (std::size_t i = 0; i < stages.size(); ++i) {
    if (view.represents(stages[i].level))
      whole.add(stages[i].algorithm(view.team_on(stages[i].level)),
                {view.ranks_on(stages[i].level), blocks_from(first_signal[i])});
    whole.next(rounds[i]);
  }
  return std::move(whole).finish();
}

}  // namespace cartwright::plan::hierarchical
