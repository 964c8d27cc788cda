// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/schedule.hpp>

#include <algorithm>
#include <vector>

namespace cartwright::plan::test {

/// Blocks of the messages that a rank receives, by round.
inline std::vector<std::vector<int>> received_blocks(const Schedule& schedule) {
  std::vector<std::vector<int>> rounds(static_cast<std::size_t>(schedule.rounds()));
  for (const Step& step : schedule.steps())
    if (step.receives()) rounds[static_cast<std::size_t>(step.round)].push_back(step.count);
  return rounds;
}

inline int count_sends(const Schedule& schedule) {
  return static_cast<int>(std::ranges::count_if(schedule.steps(), &Step::sends));
}

/// Blocks of all scratch buffers of a rank.
inline int scratch_blocks(const Schedule& schedule) {
  int blocks = 0;
  for (int i = 0; i < schedule.scratch_buffers(); ++i)
    blocks += schedule.extent(static_cast<Buffer>(static_cast<int>(Buffer::scratch) + i)).count;
  return blocks;
}

/// Smallest r with base^r >= ranks.
inline int rounds_of_base(int base, int ranks) {
  int rounds = 0;
  for (long reached = 1; reached < ranks; reached *= base) ++rounds;
  return rounds;
}

}  // namespace cartwright::plan::test
