// SPDX-License-Identifier: Apache-2.0
#include <cartwright/plan/selection/by_nodes.hpp>
#include <cartwright/plan/selection/selector.hpp>

#include <algorithm>
#include <utility>

namespace cartwright::plan {

Problem stage_problem(const GroupStage& stage, const Problem& whole, int members,
                      int ranks_of_member) {
  Problem part = whole;
  part.operation = stage.operation;
  part.ranks = members;
  part.root = {};
  part.nodes = nullptr;
  if (has_rank_blocks(stage.operation))
    part.elements = whole.elements * ranks_of_member;
  else if (has_rank_blocks(whole.operation))
    part.elements = whole.elements * whole.ranks;
  return part;
}

std::optional<Choice> choice_by_nodes(const Problem& problem, const Rule& across,
                                      const Rule& inside) {
  if (problem.nodes == nullptr || problem.nodes->levels() != 2) return std::nullopt;
  const int nodes = problem.nodes->members(0);
  const int largest = problem.nodes->largest_member(0);
  if (nodes == 1 || largest == 1) return std::nullopt;
  for (const Algorithm& algorithm : algorithms(problem.operation)) {
    if (algorithm.name != "hierarchical" || !may_solve(algorithm, problem)) continue;
    std::string tuning = "nodes";
    for (const GroupStage& stage : algorithm.stages) {
      const bool between = stage.where == GroupStage::Where::across;
      const Problem part = between ? stage_problem(stage, problem, nodes, largest)
                                   : stage_problem(stage, problem, largest, 1);
      tuning += tuning == "nodes" ? ": " : " | ";
      tuning += (between ? across : inside)(part).name();
    }
    return Choice{&algorithm, std::move(tuning)};
  }
  return std::nullopt;
}

namespace {

/// Of the algorithms that no forecast is needed for, each once; at least one.
Choice nth_quickest(const Problem& part, const Machine& machine, std::size_t which) {
  std::vector<Choice> found;
  for (const Candidate& ranked : rank_candidates(part, machine)) {
    const Algorithm* const algorithm = ranked.choice.algorithm;
    if (algorithm->make_for == nullptr &&
        std::ranges::find(found, algorithm, &Choice::algorithm) == found.end())
      found.push_back(ranked.choice);
  }
  return found.empty() ? select_simplest(part, machine) : found[std::min(which, found.size() - 1)];
}

}  // namespace

std::vector<Choice> likely_by_nodes(const Problem& problem, const Machine& machine,
                                    std::size_t of_each) {
  const auto quickest = [&](std::size_t which) {
    return [which, &machine](const Problem& part) { return nth_quickest(part, machine, which); };
  };
  std::vector<Choice> all;
  for (std::size_t across = 0; across < of_each; ++across)
    for (std::size_t inside = 0; inside < of_each; ++inside) {
      auto choice = choice_by_nodes(problem, quickest(across), quickest(inside));
      if (choice && std::ranges::find(all, *choice) == all.end()) all.push_back(*std::move(choice));
    }
  return all;
}

Machine outermost_level(const Machine& machine) {
  Machine outermost = machine;
  outermost.levels.resize(std::min<std::size_t>(1, machine.levels.size()));
  for (Level& level : outermost.levels) level.inside = {};
  return outermost;
}

}  // namespace cartwright::plan
