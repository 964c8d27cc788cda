// SPDX-License-Identifier: Apache-2.0
#include "groups.hpp"

#include <algorithm>
#include <cartwright/plan/selection/by_nodes.hpp>
#include <stdexcept>
#include <utility>

namespace cartwright::plan::catalogue {

namespace {

// Ranks of the shape stand for groups of `size` ranks, within groups of `span` (0: all).
Rounds scaled(Rounds rounds, int size, int span) {
  for (RoundShape& round : rounds) {
    round.distance *= size;
    round.span = span > 0 ? span : round.span * size;
  }
  return rounds;
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(' ');
  return first == std::string_view::npos
             ? std::string_view()
             : text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

std::vector<std::string_view> parts_of(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    parts.push_back(trimmed(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return parts;
}

}  // namespace

GroupTuning::GroupTuning(std::span<const GroupStage> stages, const Problem& problem,
                         const std::string& tuning)
    : stages_(stages), problem_(problem) {
  const auto colon = std::min(tuning.find(':'), tuning.size());
  const std::string groups(trimmed(std::string_view(tuning).substr(0, colon)));
  if (groups != "nodes")
    even_ = std::make_shared<const Hierarchy>(Hierarchy::even(problem.ranks, group_sizes(groups)));
  if (colon == tuning.size()) {
    for (const GroupStage& stage : stages)
      choices_.push_back(parse_choice(stage.operation, stage.usual));
    return;
  }
  const auto names = parts_of(std::string_view(tuning).substr(colon + 1), '|');
  if (names.size() != stages.size())
    throw std::invalid_argument("'" + tuning + "' should name " + std::to_string(stages.size()) +
                                " algorithms behind the colon, with | between them");
  for (std::size_t i = 0; i < names.size(); ++i)
    choices_.push_back(parse_choice(stages[i].operation, names[i]));
}

const Hierarchy& GroupTuning::hierarchy() const {
  if (even_ != nullptr) return *even_;
  if (problem_.nodes == nullptr || problem_.nodes->ranks() != problem_.ranks)
    throw std::invalid_argument("it isn't known which of the " + std::to_string(problem_.ranks) +
                                " ranks share a node");
  return *problem_.nodes;
}

hierarchical::Rooted GroupTuning::rooted(std::size_t stage) const {
  return
      [what = stages_[stage], choice = choices_[stage], problem = problem_](Team team, Root root) {
        Problem part = stage_problem(what, problem, team.ranks, 1);
        part.root = root;
        return choice.maker(part)(team);
      };
}

hierarchical::Flat GroupTuning::flat(std::size_t stage) const {
  return [algorithm = rooted(stage)](Team team) { return algorithm(team, {}); };
}

Rounds inner_rounds(const Hierarchy& groups, const std::function<Rounds(int ranks)>& shape) {
  Rounds rounds;
  for (int level = 1; level < groups.levels(); ++level)
    append(rounds, scaled(shape(groups.team_sizes(level).back()), groups.largest_member(level),
                          groups.largest_member(level - 1)));
  return rounds;
}

Rounds GroupTuning::rounds_of(std::size_t stage, int level) const {
  const Hierarchy& groups = hierarchy();
  const int members = groups.team_sizes(level).back();
  if (members == 1) return {};
  const int ranks_of_member = groups.largest_member(level);
  const Choice& choice = choices_[stage];
  const Problem part = stage_problem(stages_[stage], problem_, members, ranks_of_member);
  return scaled(choice.algorithm->rounds(part, choice.tuning), ranks_of_member,
                level == 0 ? 0 : groups.largest_member(level - 1));
}

Rounds GroupTuning::rounds() const {
  Rounds rounds;
  for (std::size_t i = 0; i < stages_.size(); ++i) {
    const bool is_across = stages_[i].where == across;
    const int end = is_across ? 1 : hierarchy().levels();
    for (int level = is_across ? 0 : 1; level < end; ++level) append(rounds, rounds_of(i, level));
  }
  return rounds;
}

bool suits_groups(const Problem& problem) {
  if (problem.ranks <= 2) return false;
  return problem.nodes == nullptr || problem.nodes->consecutive() ||
         !is_reduction(problem.operation) || problem.commutative;
}

bool suits_groups_of_blocks(const Problem& problem) {
  const bool is_consecutive = problem.nodes == nullptr || problem.nodes->consecutive();
  return suits_groups(problem) && (is_consecutive || problem.even_blocks);
}

}  // namespace cartwright::plan::catalogue
