// SPDX-License-Identifier: Apache-2.0
#include "message_check.hpp"

#include <cartwright/plan/interpret_messages.hpp>

#include <string>
#include <unordered_map>

namespace cartwright::plan::validation {

namespace {

struct SentMessage {
  Count elements = 0;
  int round = 0;
  bool received = false;
};
using SentMessages = std::unordered_map<MessageName, SentMessage, MessageNameHash>;

SentMessages collect_sent(std::span<const Schedule> schedules, std::span<const Layout> layouts,
                          FaultList& faults) {
  SentMessages sent;
  for (std::size_t r = 0; r < schedules.size(); ++r)
    for (const Step& step : schedules[r].steps())
      if (step.sends() &&
          !sent.try_emplace({static_cast<int>(r), step.peer, step.number},
                            SentMessage{length(layouts[r], step.source()), step.round})
               .second)
        faults.add(static_cast<int>(r), step, "is sent twice");
  return sent;
}

void match_received(std::span<const Schedule> schedules, std::span<const Layout> layouts,
                    SentMessages& sent, FaultList& faults) {
  for (std::size_t r = 0; r < schedules.size(); ++r)
    for (const Step& step : schedules[r].steps()) {
      if (!step.receives()) continue;
      const auto rank = static_cast<int>(r);
      const auto found = sent.find({step.peer, rank, step.number});
      if (found == sent.end() || found->second.received) {
        faults.add(rank, step, "receives what nobody sends");
        continue;
      }
      found->second.received = true;
      if (found->second.elements != length(layouts[r], step.target()))
        faults.add(rank, step, "expects another length than is sent");
      if (found->second.round > step.round) faults.add(rank, step, "is received before its round");
    }
  for (const auto& [name, message] : sent)
    if (!message.received)
      faults.add("message " + std::to_string(name.number) + " from rank " +
                 std::to_string(name.from) + " to " + std::to_string(name.to) +
                 " is never received");
}

}  // namespace

void check_messages(std::span<const Schedule> schedules, std::span<const Layout> layouts,
                    FaultList& faults) {
  SentMessages sent = collect_sent(schedules, layouts, faults);
  match_received(schedules, layouts, sent, faults);
}

}  // namespace cartwright::plan::validation
