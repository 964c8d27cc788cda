// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/comm/execution/p2p_receives.hpp>
#include <cstdint>
#include <span>

namespace cartwright::comm {

namespace {

/// Bytes that a step reads or writes.
struct Range {
  plan::Position from;
  std::int64_t bytes = 0;
};

bool overlap(const Range& a, const Range& b) {
  return a.from.memory == b.from.memory && a.from.bytes < b.from.bytes + b.bytes &&
         b.from.bytes < a.from.bytes + a.bytes;
}

/// Finds how early receives may be posted.
class Scan {
 public:
  Scan(const plan::Program& program, std::size_t element_size,
       const std::function<bool(int)>& serves)
      : steps_(program.steps()),
        element_size_(static_cast<std::int64_t>(element_size)),
        serves_(serves) {
    std::size_t awaited = 0;
    for (const plan::BoundStep& step : steps_) {
      awaited = std::max(awaited, static_cast<std::size_t>(step.sends_before));
      awaited_.push_back(awaited);
      if (step.kind == plan::StepKind::send)
        own_sends_.push_back(own_sends_.back() + (is_ours(step) ? 1 : 0));
    }
  }

  [[nodiscard]] bool is_ours(const plan::BoundStep& step) const {
    return !serves_ || serves_(step.peer);
  }
  /// Sends of ours, by number of sends.
  [[nodiscard]] std::vector<std::size_t>& own_sends() { return own_sends_; }

  [[nodiscard]] P2pReceive receive(std::size_t index) const {
    const plan::BoundStep& step = steps_[index];
    const Range target{step.target, step.count * element_size_};
    const auto sends = static_cast<std::size_t>(step.sends_before);
    P2pReceive result{.step = index,
                      .from_step = index > sight ? index - sight : 0,
                      .after_sends = own_sends_[sends]};
    if (result.after_sends < sends) result.from_step = first_after(sends);
    for (std::size_t i = index; i-- > result.from_step;)
      if (steps_[i].kind != plan::StepKind::send && touches(steps_[i], target))
        result.from_step = i + 1;
    return result;
  }

  /// Whether an operand that is received may wait in the target, from the beginning on, without
  /// memory of its own.
  [[nodiscard]] bool may_land_in_target(const P2pReceive& receive) const {
    const plan::BoundStep& step = steps_[receive.step];
    const std::int64_t bytes = step.count * element_size_;
    return receive.from_step == 0 && receive.after_sends == 0 &&
           !overlap({step.source, bytes}, {step.target, bytes});
  }

 private:
  /// Receives are posted no more steps ahead than this, which bounds the time for long programs.
  static constexpr std::size_t sight = 256;

  [[nodiscard]] bool touches(const plan::BoundStep& step, const Range& target) const {
    using enum plan::StepKind;
    const std::int64_t bytes = step.count * element_size_;
    return (step.kind != receive && overlap({step.source, bytes}, target)) ||
           (step.kind == combine && overlap({step.operand, bytes}, target)) ||
           overlap({step.target, bytes}, target);
  }
  /// The first step that runs only when so many sends are complete, whoever carries them.
  [[nodiscard]] std::size_t first_after(std::size_t sends) const {
    const auto found = std::ranges::lower_bound(awaited_, sends);
    return static_cast<std::size_t>(found - awaited_.begin());
  }

  std::span<const plan::BoundStep> steps_;
  std::int64_t element_size_;
  const std::function<bool(int)>& serves_;
  std::vector<std::size_t> awaited_;  // sends that are complete when a step runs
  std::vector<std::size_t> own_sends_{0};
};

}  // namespace

P2pPlan p2p_plan(const plan::Program& program, std::size_t element_size,
                 const std::function<bool(int peer)>& serves) {
  using enum plan::StepKind;
  Scan scan(program, element_size, serves);
  P2pPlan result;
  const auto steps = program.steps();
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const plan::BoundStep& step = steps[i];
    if (step.kind == receive && scan.is_ours(step)) {
      result.receives.push_back(scan.receive(i));
    } else if (step.kind == receive_combine && scan.is_ours(step)) {
      P2pReceive& receive = result.receives.emplace_back(scan.receive(i));
      if (scan.may_land_in_target(receive)) continue;
      receive = {.step = i, .combination = result.combinations++};
      result.largest_operand =
          std::max(result.largest_operand, static_cast<std::size_t>(step.count) * element_size);
    }
  }
  result.sends = scan.own_sends().back();
  if (result.sends != static_cast<std::size_t>(program.sends()))
    result.own_sends = std::move(scan.own_sends());
  return result;
}

P2pLanding::P2pLanding(std::size_t places, std::size_t bytes_each)
    : places_(std::max<std::size_t>(places, 1)), pitch_((bytes_each + 63) / 64 * 64) {
  memory_ = rt::aligned_memory(places_ * pitch_);
}

}  // namespace cartwright::comm
