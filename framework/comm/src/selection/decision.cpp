// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <cartwright/comm/selection/decision.hpp>
#include <string>

namespace cartwright::comm {

namespace {

Combining combining_of(const Call& call) {
  if (!plan::is_reduction(call.operation) || call.reduction.exact) return Combining::exact;
  return call.reduction.commutes ? Combining::rounded : Combining::ordered;
}

}  // namespace

CallKey CallKey::of(const Call& call, int ranks, std::uint32_t epoch) {
  const auto bytes = static_cast<std::uint64_t>(problem_of(call, ranks).bytes());
  return {.operation = call.operation,
          .size = static_cast<plan::Count>(std::bit_floor(bytes)),
          .waiting = call.waiting,
          .combining = combining_of(call),
          .memory = call.memory,
          .epoch = epoch};
}

plan::Problem CallKey::problem(int ranks) const {
  constexpr plan::Count word = 8;  // most elements are numbers, which no algorithm cuts
  const plan::Count element = size >= word ? word : 1;
  return {.operation = operation,
          .ranks = ranks,
          .elements = size / element,
          .element_size = element,
          .commutative = combining != Combining::ordered};
}

std::string Decision::name() const {
  const std::string who(name_of(backend));
  return choice.algorithm == nullptr ? who : who + ": " + choice.name();
}

}  // namespace cartwright::comm
