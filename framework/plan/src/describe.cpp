// SPDX-License-Identifier: Apache-2.0
#include <cartwright/plan/describe.hpp>

namespace cartwright::plan {

namespace {

std::string text(Slice slice) {
  std::string name = slice.buffer == Buffer::input ? "input"
                     : slice.buffer == Buffer::output
                         ? "output"
                         : "scratch" + std::to_string(scratch_number(slice.buffer));
  name += "[" + std::to_string(slice.first);
  if (slice.count != 1) name += ", +" + std::to_string(slice.count);
  return name + "]";
}

std::string peer(const Step& step) {
  std::string name = std::to_string(step.peer);
  if (step.number > 0) name += " (message " + std::to_string(step.number) + ")";
  return name;
}

}  // namespace

std::string describe(const Step& step) {
  const std::string received = "received from " + peer(step);
  switch (step.kind) {
    case StepKind::send:
      return "send " + text(step.source()) + " to " + peer(step);
    case StepKind::receive:
      return text(step.target()) + " = " + received;
    case StepKind::receive_combine:
      return text(step.target()) + " = " +
             (step.received == Side::left ? received + " ∘ " + text(step.source())
                                          : text(step.source()) + " ∘ " + received);
    case StepKind::combine:
      return text(step.target()) + " = " + text(step.source()) + " ∘ " + text(step.operand());
    case StepKind::copy:
      return text(step.target()) + " = " + text(step.source());
  }
  return {};
}

std::string describe(const Schedule& schedule) {
  std::string lines = "rank " + std::to_string(schedule.team().me) + " of " +
                      std::to_string(schedule.team().ranks) + ", " +
                      std::to_string(schedule.blocks()) + " blocks, " +
                      std::to_string(schedule.rounds()) + " rounds\n";
  int round = -1;
  for (const Step& step : schedule.steps()) {
    if (step.round != round) lines += "  round " + std::to_string(round = step.round) + "\n";
    lines += "    " + describe(step) + "\n";
  }
  return lines;
}

}  // namespace cartwright::plan
