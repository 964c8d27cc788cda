// SPDX-License-Identifier: Apache-2.0
#include "relay.hpp"

#include <algorithm>

namespace cartwright::comm {

std::byte* Relay::memory(std::size_t bytes) {
  return memory_.emplace_back(bytes / sizeof(Line) + 1).front().bytes;
}

void Relay::start() {
  *is_done_ = false;
  for (Stage& stage : stages_) stage.started = stage.done = 0;
}

void Relay::advance(Stage& stage, std::size_t arrived) {
  constexpr std::size_t most_in_flight = 2;  // the next one's messages may come meanwhile
  for (bool moves = true; moves;) {
    while (stage.started < std::min(arrived, stage.done + most_in_flight))
      stage.segments[stage.started++]->start();
    moves = stage.done < stage.started && stage.segments[stage.done]->advance();
    if (moves) ++stage.done;
  }
}

bool Relay::advance() {
  if (!*former_is_done_) return false;
  bool all = true;
  const Stage* before = nullptr;
  for (Stage& stage : stages_) {
    advance(stage, before == nullptr ? stage.segments.size() : before->done);
    all = all && stage.done == stage.segments.size();
    before = &stage;
  }
  *is_done_ = all;
  return all;
}

}  // namespace cartwright::comm
