// SPDX-License-Identifier: Apache-2.0
#include "phases.hpp"

namespace matmul {

namespace rt = cartwright::rt;

const char* name(Phase phase) noexcept {
  constexpr std::array<const char*, phase_count> names{
      "generate or read", "pack panels", "wait for broadcasts", "wait for shifts", "dgemm", "poll",
      "pdgemm",           "check"};
  return names[static_cast<std::size_t>(phase)];
}

Phases::Phases(rt::Trace& trace) : trace_(trace), origin_(rt::now()) {
  spans_.reserve(most_spans);
}

void Phases::restart() {
  spans_.clear();
  origin_ = rt::now();
}

void Phases::enter(Phase phase) {
  rt::RegionId& region = regions_[static_cast<std::size_t>(phase)];
  if (region.value < 0) region = trace_.region(name(phase));
}

void Phases::close(Phase phase, const rt::Trace::Mark& mark) noexcept {
  const rt::Ticks end = trace_.close(regions_[static_cast<std::size_t>(phase)], mark);
  if (spans_.size() == most_spans) return;
  spans_.push_back(
      {phase, rt::seconds_between(origin_, mark.begin), rt::seconds_between(origin_, end)});
}

}  // namespace matmul
