// SPDX-License-Identifier: Apache-2.0
#include "progress_check.hpp"

#include <cartwright/plan/dependencies.hpp>
#include <cartwright/plan/interpret_messages.hpp>

#include <unordered_set>

namespace cartwright::plan::validation {

namespace {

// Runs all ranks in order, where a send is complete only once its receive has been reached.
class InOrderRun {
 public:
  explicit InOrderRun(std::span<const Schedule> schedules) : schedules_(schedules) {
    for (const Schedule& schedule : schedules) waits_.push_back(sends_before(schedule));
    states_.resize(schedules.size());
  }

  void run(FaultList& faults) {
    for (std::size_t r = 0; r < schedules_.size(); ++r) ready_.push_back(r);
    while (!ready_.empty()) {
      const std::size_t rank = ready_.back();
      ready_.pop_back();
      advance(rank);
    }
    for (std::size_t r = 0; r < schedules_.size(); ++r)
      if (states_[r].next < schedules_[r].steps().size())
        faults.add(static_cast<int>(r), schedules_[r].steps()[states_[r].next], "waits forever");
  }

 private:
  struct State {
    std::size_t next = 0;
    std::vector<MessageName> sends;  // started
    std::size_t complete = 0;        // of them, from the beginning
  };

  bool sends_complete(State& state, std::size_t wanted) {
    while (state.complete < wanted && reached_.contains(state.sends[state.complete]))
      ++state.complete;
    return state.complete >= wanted;
  }

  void advance(std::size_t rank) {
    State& state = states_[rank];
    const auto steps = schedules_[rank].steps();
    for (; state.next < steps.size(); ++state.next) {
      const Step& step = steps[state.next];
      if (!sends_complete(state, static_cast<std::size_t>(waits_[rank][state.next]))) return;
      const auto me = static_cast<int>(rank);
      if (step.sends()) {
        state.sends.push_back({me, step.peer, step.number});
        started_.insert(state.sends.back());
        ready_.push_back(static_cast<std::size_t>(step.peer));
      } else if (step.receives()) {
        const MessageName name{step.peer, me, step.number};
        if (reached_.insert(name).second) ready_.push_back(static_cast<std::size_t>(step.peer));
        if (!started_.contains(name)) return;
      }
    }
  }

  std::span<const Schedule> schedules_;
  std::vector<std::vector<std::int32_t>> waits_;
  std::vector<State> states_;
  std::vector<std::size_t> ready_;
  std::unordered_set<MessageName, MessageNameHash> started_;
  std::unordered_set<MessageName, MessageNameHash> reached_;
};

}  // namespace

void check_progress(std::span<const Schedule> schedules, FaultList& faults) {
  InOrderRun(schedules).run(faults);
}

}  // namespace cartwright::plan::validation
