// SPDX-License-Identifier: Apache-2.0
#include <cartwright/plan/models/machine.hpp>

#include <stdexcept>

namespace cartwright::plan {

std::size_t parting_level(const Machine& machine, int a, int b) {
  int ranks = machine.levels.empty() ? 1 : machine.ranks_in_unit(0);
  for (std::size_t level = 0; level < machine.levels.size(); ++level) {
    if (a / ranks != b / ranks) return level;
    if (level + 1 < machine.levels.size()) ranks /= machine.levels[level + 1].units;
  }
  return machine.levels.size();
}

SharedChannel channel_of(const Machine& machine, std::size_t level) {
  if (machine.levels[level].leaving.limited()) return {&machine.levels[level].leaving, level};
  for (std::size_t owner = level; owner-- > 0;)
    if (machine.levels[owner].inside.limited()) return {&machine.levels[owner].inside, owner};
  return {};
}

void check_levels(const Machine& machine) {
  if (machine.levels.empty())
    throw std::invalid_argument("machine '" + machine.name + "' has no levels");
  const Level* around = nullptr;  // shares all that stays inside
  for (const Level& level : machine.levels) {
    if (around != nullptr && (level.leaving.limited() || level.inside.limited()))
      throw std::invalid_argument("machine '" + machine.name + "': messages of level '" +
                                  level.name + "' share what is inside of a '" + around->name +
                                  "', and can't share anything else");
    if (level.inside.limited()) around = &level;
  }
}

}  // namespace cartwright::plan
