// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/window/remote_operation.hpp>
#include <cstddef>
#include <cstdint>

namespace cartwright::comm {

/// What ranks that share no memory tell each other about a window. Those of a pair are met in the
/// order in which they were sent, where they are of the first kind: one that must wait, because the
/// target is not ready for its epoch, holds up what comes behind it. The others answer, and never
/// wait.
enum class RecordKind : std::uint8_t {
  operation,
  access_done,   ///< all operations of access epoch `id` have been sent
  fence_done,    ///< … of fence `id`
  lock_request,  ///< `detail`: which Lock, or Record::past_queue; `count`: the may_begin that it
                 ///< waits for, or 0
  unlock,
  flush,
  access_query,  ///< whether all of access epoch `id` has been carried out
  pass_on,       ///< what came before is over: rank `count` may begin with my lock `id` there
  lock_query,    ///< when lock `id` is held
  // Answers.
  reply,  ///< what operation `id` (the origin's number) has read
  unlock_done,
  access_known,
  flush_done,
  exposed,    ///< my memory, for your access epoch `id`
  in_fence,   ///< I am in fence `id`
  lock_held,  ///< your lock `id` here
  may_begin,  ///< rank `count`'s lock `id` here: what it did elsewhere before is over
  credit      ///< so many bytes have been carried out: `count`, of all since the beginning
};

[[nodiscard]] constexpr bool is_answer(RecordKind kind) {
  return kind >= RecordKind::reply;
}

/// Whose readiness an operation waits for.
enum class EpochClass : std::uint8_t { access, fence, lock };

struct Record {
  static constexpr std::uint8_t past_queue = 2;  ///< shared, as lock_all does

  std::uint32_t bytes = sizeof(Record);  ///< with what follows it; a multiple of 8
  std::uint32_t window = 0;
  RecordKind kind = RecordKind::operation;
  EpochClass epoch_class = EpochClass::access;
  std::uint8_t detail = 0;
  std::uint8_t padding[5]{};
  std::uint64_t id = 0;     ///< of the epoch, among those of its class of this ordered pair
  std::uint64_t count = 0;  ///< done, unlock: operations that were sent since the beginning
};

/// A part of an operation; its operands follow, one behind the other.
struct OperationRecord {
  Record record{};
  RemoteKind kind = RemoteKind::put;
  Update update{};
  std::uint8_t type = 0;
  std::uint8_t is_large = 0;  ///< what moves is a message of its own
  plan::Count elements = 0;
  plan::Count offset = 0;
  Strides at{};
  plan::Count first = 0;     ///< of the slice
  std::uint64_t number = 0;  ///< the origin's, which the reply repeats
};

}  // namespace cartwright::comm
