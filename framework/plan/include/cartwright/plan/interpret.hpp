// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/interpret_messages.hpp>
#include <cartwright/plan/layout.hpp>
#include <cartwright/plan/schedule.hpp>

#include <algorithm>
#include <span>
#include <vector>

namespace cartwright::plan {

/// The buffers of one rank in an interpreted run.
template <class T>
struct Memory {
  std::vector<T> input;
  std::vector<T> output;
  std::vector<std::vector<T>> scratch{};  // made by the interpreter
};

/// One rank of an interpreted run.
template <class T, class Combine>
class InterpretedRank {
 public:
  InterpretedRank(const Schedule& schedule, const Layout& layout, Memory<T>& memory,
                  const Combine& combine)
      : schedule_(&schedule), layout_(&layout), memory_(&memory), combine_(&combine) {
    memory.scratch.resize(static_cast<std::size_t>(schedule.scratch_buffers()));
    for (int i = 0; i < schedule.scratch_buffers(); ++i) {
      const auto buffer = static_cast<Buffer>(static_cast<int>(Buffer::scratch) + i);
      memory.scratch[static_cast<std::size_t>(i)].resize(
          static_cast<std::size_t>(length(schedule, layout, buffer)));
    }
  }

  [[nodiscard]] bool done() const { return next_ == schedule_->steps().size(); }
  [[nodiscard]] const Step& current() const { return schedule_->steps()[next_]; }

  /// Runs until the end or until a message is missing. `woken` is called with each rank that is
  /// sent to.
  template <class Woken>
  void advance(MessageStore<T>& messages, Woken woken) {
    for (; !done(); ++next_) {
      const Step& step = current();
      if (step.sends()) {
        const auto data = slice(step.source());
        messages.put({schedule_->team().me, step.peer, step.number}, {data.begin(), data.end()});
        woken(step.peer);
      } else if (step.receives()) {
        if (!messages.take({step.peer, schedule_->team().me, step.number}, received_)) return;
        take_in(step);
      } else if (step.kind == StepKind::combine) {
        apply(slice(step.source()), slice(step.operand()), slice(step.target()));
      } else {
        std::ranges::copy(slice(step.source()), slice(step.target()).begin());
      }
    }
  }

 private:
  [[nodiscard]] std::span<T> slice(Slice s) const {
    auto& buffer = s.buffer == Buffer::input ? memory_->input
                   : s.buffer == Buffer::output
                       ? memory_->output
                       : memory_->scratch[static_cast<std::size_t>(scratch_number(s.buffer))];
    return std::span<T>(buffer).subspan(static_cast<std::size_t>(position(*schedule_, *layout_, s)),
                                        static_cast<std::size_t>(length(*layout_, s)));
  }

  void take_in(const Step& step) {
    const std::span<T> target = slice(step.target());
    if (received_.size() != target.size())
      throw_wrong_length(*schedule_, step, received_.size(), target.size());
    if (step.kind == StepKind::receive) {
      std::ranges::copy(received_, target.begin());
    } else if (step.received == Side::left) {
      apply(received_, slice(step.source()), target);
    } else {
      apply(slice(step.source()), received_, target);
    }
  }

  void apply(std::span<const T> left, std::span<const T> right, std::span<T> target) const {
    for (std::size_t i = 0; i < target.size(); ++i) target[i] = (*combine_)(left[i], right[i]);
  }

  const Schedule* schedule_;
  const Layout* layout_;
  Memory<T>* memory_;
  const Combine* combine_;
  std::vector<T> received_;
  std::size_t next_ = 0;
};

/// Runs the schedules of all ranks, by rank, in this process, on real data of any type: the oracle
/// of every other way to run them. `combine(left, right)` is the operator. Results are left in the
/// output of each memory. Throws std::runtime_error, naming the ranks, when a rank waits for a
/// message that never comes, when one is left over or has the wrong length.
template <class T, class Combine>
void interpret(std::span<const Schedule> schedules, std::span<const Layout> layouts,
               std::span<Memory<T>> memories, const Combine& combine) {
  MessageStore<T> messages;
  std::vector<InterpretedRank<T, Combine>> ranks;
  std::vector<int> ready;
  for (std::size_t r = 0; r < schedules.size(); ++r) {
    ranks.emplace_back(schedules[r], layouts[r], memories[r], combine);
    ready.push_back(static_cast<int>(r));
  }
  while (!ready.empty()) {
    const int rank = ready.back();
    ready.pop_back();
    ranks[static_cast<std::size_t>(rank)].advance(messages,
                                                  [&](int woken) { ready.push_back(woken); });
  }
  for (const auto& rank : ranks)
    if (!rank.done()) throw_waits_forever(rank.current(), static_cast<int>(&rank - ranks.data()));
  if (!messages.empty()) throw_left_over(messages.any());
}

}  // namespace cartwright::plan
