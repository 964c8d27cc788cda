// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/elements/reduction.hpp>
#include <cartwright/plan/program.hpp>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace cartwright::comm {

/// The messages of one program, as the rank that runs it sees them: made once for a program
/// (allocates), begun each time it starts (allocates nothing). Nothing in here blocks. Steps are
/// handed over in the program's order; messages between two ranks are matched in that order.
///
/// - `begin(sequence, buffers)`: a new run. `sequence` counts the collectives of the communicator,
///   alike on all ranks, and keeps those in flight apart. False: there is no room for one more in
///   flight; ask again later.
/// - `reached(step)`: steps before `step` are done: receives whose target nobody needs any more may
///   be posted ahead.
/// - `send(step)`: starts a message; what can't leave yet leaves in `progress`.
/// - `receive(step)`, `receive_combine(step, reduction)`: true when the data have come and are
/// where
///   they belong. Called again with the same step until then.
/// - `sends_are_complete(n)`: the sources of the first n sends of the program may be overwritten.
/// - `progress()`: moves what waits, without being asked for a certain step.
/// - `moves()`: changes with each piece of a message that has come or left.
template <class M>
concept Messages = requires(M& messages, const plan::BoundStep& step, const plan::Buffers& buffers,
                            const Reduction& reduction, std::uint64_t sequence, std::size_t index,
                            std::int32_t sends) {
  { std::as_const(messages).moves() } -> std::same_as<std::uint64_t>;
  { messages.begin(sequence, buffers) } -> std::same_as<bool>;
  messages.reached(index);
  messages.send(step);
  { messages.receive(step) } -> std::same_as<bool>;
  { messages.receive_combine(step, reduction) } -> std::same_as<bool>;
  { messages.sends_are_complete(sends) } -> std::same_as<bool>;
  messages.progress();
};

}  // namespace cartwright::comm
