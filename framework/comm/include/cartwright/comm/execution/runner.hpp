// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/execution/messages.hpp>
#include <cartwright/plan/program.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

namespace cartwright::comm {

/// Runs a program over messages, in the program's order, as far as it goes without blocking. In
/// order, because programs can't deadlock so and nothing has to be counted or looked up per step;
/// what may overlap does so all the same: sends are only started, and receives may be posted ahead.
template <Messages M>
class Runner {
 public:
  /// The program must outlive this.
  Runner(const plan::Program& program, std::size_t element_size, M messages)
      : program_(&program), element_size_(element_size), messages_(std::move(messages)) {}

  /// From the beginning.
  void start(std::uint64_t sequence, const plan::Buffers& buffers) {
    sequence_ = sequence;
    buffers_ = buffers;
    next_ = 0;
    complete_ = 0;
    begun_ = messages_.begin(sequence, buffers);
  }

  /// Goes on; true when all is done.
  bool advance(const Reduction& reduction) {
    if (!begun_) {
      begun_ = messages_.begin(sequence_, buffers_);
      if (!begun_) return false;
    }
    const auto steps = program_->steps();
    for (; next_ < steps.size(); ++next_) {
      if (!run(steps[next_], reduction)) {
        messages_.progress();
        return false;
      }
    }
    if (messages_.sends_are_complete(program_->sends())) return true;
    messages_.progress();
    return false;
  }

  /// The step that is waited for; null: only for sends to be complete, or for a lane.
  [[nodiscard]] const plan::BoundStep* waiting_for() const {
    return begun_ && next_ < program_->steps().size() ? &program_->steps()[next_] : nullptr;
  }
  /// Changes with each step, and each piece of one that has come or left.
  [[nodiscard]] std::uint64_t moves() const { return next_ + messages_.moves(); }
  [[nodiscard]] M& messages() { return messages_; }

 private:
  bool run(const plan::BoundStep& step, const Reduction& reduction) {
    if (step.sends_before > complete_) {
      if (!messages_.sends_are_complete(step.sends_before)) return false;
      complete_ = step.sends_before;
    }
    messages_.reached(next_);
    switch (step.kind) {
      case plan::StepKind::send:
        messages_.send(step);
        return true;
      case plan::StepKind::receive:
        return messages_.receive(step);
      case plan::StepKind::receive_combine:
        return messages_.receive_combine(step, reduction);
      case plan::StepKind::combine:
        reduction(step.source.in(buffers_), step.operand.in(buffers_), step.target.out(buffers_),
                  static_cast<std::size_t>(step.count));
        return true;
      case plan::StepKind::copy:
        std::memcpy(step.target.out(buffers_), step.source.in(buffers_),
                    static_cast<std::size_t>(step.count) * element_size_);
        return true;
    }
    return true;
  }

  const plan::Program* program_;
  std::size_t element_size_;
  M messages_;
  plan::Buffers buffers_;
  std::uint64_t sequence_ = 0;
  std::size_t next_ = 0;
  std::int32_t complete_ = 0;
  bool begun_ = false;
};

}  // namespace cartwright::comm
