// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <bit>
#include <cartwright/comm/selection/decision.hpp>
#include <cstddef>
#include <string>

namespace cartwright::comm {

namespace {

constexpr std::array<std::string_view, 4> backend_names{"native", "p2p", "shared", "rma"};

Combining combining_of(const Call& call) {
  if (!plan::is_reduction(call.operation) || call.reduction.exact) return Combining::exact;
  return call.reduction.commutes ? Combining::rounded : Combining::ordered;
}

}  // namespace

std::string_view name_of(BackendId backend) noexcept {
  return backend_names[static_cast<std::size_t>(backend)];
}

std::optional<BackendId> backend_named(std::string_view name) noexcept {
  for (std::size_t i = 0; i < backend_names.size(); ++i)
    if (backend_names[i] == name) return static_cast<BackendId>(i);
  return std::nullopt;
}

CallKey CallKey::of(const Call& call, int ranks, std::uint32_t epoch) {
  const auto bytes = static_cast<std::uint64_t>(problem_of(call, ranks).bytes());
  return {.operation = call.operation,
          .size = static_cast<plan::Count>(std::bit_floor(bytes)),
          .waiting = call.waiting,
          .combining = combining_of(call),
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
