// SPDX-License-Identifier: Apache-2.0
#include <cartwright/plan/models/machine.hpp>

namespace cartwright::plan {

std::size_t parting_level(const Machine& machine, int a, int b) {
  int ranks = machine.levels.empty() ? 1 : machine.ranks_in_unit(0);
  for (std::size_t level = 0; level < machine.levels.size(); ++level) {
    if (a / ranks != b / ranks) return level;
    if (level + 1 < machine.levels.size()) ranks /= machine.levels[level + 1].units;
  }
  return machine.levels.size();
}

}  // namespace cartwright::plan
