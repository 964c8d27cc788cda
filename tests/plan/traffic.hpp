// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "collective_check.hpp"

#include <algorithm>

namespace cartwright::plan::test {

/// What all ranks of a schedule send.
struct Traffic {
  int messages = 0;
  Count blocks = 0;
  int rounds = 0;
  int most_sends = 0;  ///< of one rank
};

inline Traffic traffic(int ranks, const Generator& make) {
  Traffic sum;
  for (int r = 0; r < ranks; ++r) {
    const Schedule schedule = make({ranks, r});
    int sends = 0;
    for (const Step& step : schedule.steps())
      if (step.sends()) {
        ++sends;
        sum.blocks += step.count;
      }
    sum.messages += sends;
    sum.most_sends = std::max(sum.most_sends, sends);
    sum.rounds = schedule.rounds();
  }
  return sum;
}

}  // namespace cartwright::plan::test
