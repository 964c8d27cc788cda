// SPDX-License-Identifier: Apache-2.0
#include "progress_check.hpp"

#include <cartwright/plan/dependencies.hpp>

#include <utility>
#include <vector>

namespace cartwright::plan::validation {

namespace {

// Runs all ranks in order, where a send is complete only once its receive has been reached.
class InOrderRun {
 public:
  InOrderRun(std::span<const Schedule> schedules, const NumberedSteps& messages)
      : schedules_(schedules), messages_(messages), passed_(messages.messages) {
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
    std::vector<std::uint32_t> sends;  // started
    std::size_t complete = 0;          // of them, from the beginning
  };
  struct Passed {
    bool started = false;  // by its sender
    bool reached = false;  // by its receiver
  };

  bool sends_complete(State& state, std::size_t wanted) {
    while (state.complete < wanted && passed_[state.sends[state.complete]].reached)
      ++state.complete;
    return state.complete >= wanted;
  }

  void advance(std::size_t rank) {
    State& state = states_[rank];
    const auto steps = schedules_[rank].steps();
    for (; state.next < steps.size(); ++state.next) {
      const Step& step = steps[state.next];
      if (!sends_complete(state, static_cast<std::size_t>(waits_[rank][state.next]))) return;
      const std::uint32_t message = messages_.of(rank)[state.next];
      if (step.sends()) {
        state.sends.push_back(message);
        passed_[message].started = true;
        ready_.push_back(static_cast<std::size_t>(step.peer));
      } else if (step.receives()) {
        Passed& passed = passed_[message];
        if (!std::exchange(passed.reached, true))
          ready_.push_back(static_cast<std::size_t>(step.peer));
        if (!passed.started) return;
      }
    }
  }

  std::span<const Schedule> schedules_;
  const NumberedSteps& messages_;
  std::vector<Passed> passed_;  // by message
  std::vector<std::vector<std::int32_t>> waits_;
  std::vector<State> states_;
  std::vector<std::size_t> ready_;
};

}  // namespace

void check_progress(std::span<const Schedule> schedules, const NumberedSteps& messages,
                    FaultList& faults) {
  InOrderRun(schedules, messages).run(faults);
}

}  // namespace cartwright::plan::validation
