// SPDX-License-Identifier: Apache-2.0
#include "message_check.hpp"

#include <string>

namespace cartwright::plan::validation {

namespace {

struct SentMessage {
  Count elements = 0;
  int round = 0;
  bool received = false;
};

/// Sends of all ranks first, then receives.
class Matching {
 public:
  Matching(std::span<const Schedule> schedules, std::span<const Layout> layouts, FaultList& faults)
      : schedules_(schedules), layouts_(layouts), faults_(faults), numbers_(count_sends()) {}

  NumberedSteps run() {
    for (std::size_t r = 0; r < schedules_.size(); ++r) collect_sent(r);
    for (std::size_t r = 0; r < schedules_.size(); ++r) match_received(r);
    for (std::size_t i = 0; i < sent_.size(); ++i)
      if (!sent_[i].received) faults_.add(never_received(numbers_.name(i)));
    steps_.messages = numbers_.count();
    return std::move(steps_);
  }

 private:
  std::size_t count_sends() {
    std::size_t steps = 0, sends = 0;
    for (const Schedule& schedule : schedules_) {
      steps_.first.push_back(steps);
      steps += schedule.steps().size();
      for (const Step& step : schedule.steps()) sends += step.sends() ? 1 : 0;
    }
    steps_.numbers.assign(steps, MessageNumbers::none);
    sent_.reserve(sends);
    return sends;
  }

  static std::string never_received(const MessageName& name) {
    return "message " + std::to_string(name.number) + " from rank " + std::to_string(name.from) +
           " to " + std::to_string(name.to) + " is never received";
  }

  void collect_sent(std::size_t r) {
    std::size_t at = steps_.first[r];
    for (const Step& step : schedules_[r].steps()) {
      const std::size_t place = at++;
      if (!step.sends()) continue;
      const auto rank = static_cast<int>(r);
      const auto [number, is_new] = numbers_.add({rank, step.peer, step.number});
      if (!is_new) {
        faults_.add(rank, step, "is sent twice");
        continue;
      }
      steps_.numbers[place] = number;
      sent_.push_back({length(layouts_[r], step.source()), step.round});
    }
  }

  void match_received(std::size_t r) {
    std::size_t at = steps_.first[r];
    for (const Step& step : schedules_[r].steps()) {
      const std::size_t place = at++;
      if (!step.receives()) continue;
      const auto rank = static_cast<int>(r);
      const std::uint32_t number = numbers_.find({step.peer, rank, step.number});
      if (number == MessageNumbers::none || sent_[number].received) {
        faults_.add(rank, step, "receives what nobody sends");
        continue;
      }
      steps_.numbers[place] = number;
      SentMessage& message = sent_[number];
      message.received = true;
      if (message.elements != length(layouts_[r], step.target()))
        faults_.add(rank, step, "expects another length than is sent");
      if (message.round > step.round) faults_.add(rank, step, "is received before its round");
    }
  }

  std::span<const Schedule> schedules_;
  std::span<const Layout> layouts_;
  FaultList& faults_;
  NumberedSteps steps_;
  std::vector<SentMessage> sent_;  // by number
  MessageNumbers numbers_;         // of as many as count_sends() finds
};

}  // namespace

NumberedSteps check_messages(std::span<const Schedule> schedules, std::span<const Layout> layouts,
                             FaultList& faults) {
  return Matching(schedules, layouts, faults).run();
}

}  // namespace cartwright::plan::validation
