// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/backends/call_record.hpp>
#include <cartwright/rt/communicator.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <vector>

namespace cartwright::comm {

/// Where a rank that waits too long asks the others what they have called last. Those that wait in
/// a collective themselves answer; no answer means that a rank is in no collective of this
/// communicator: it computes, is blocked elsewhere or is dead. (No window: a rank that is blocked
/// would hardly serve one, and in Open MPI 4.1 windows of communicators that were split from one
/// share a backing file.)
class CallBoard {
 public:
  /// Collective: takes a communicator of its own.
  explicit CallBoard(const rt::Communicator& comm);

  /// What this rank answers from now on.
  void begin(const CallRecord& record) { mine_ = record; }
  /// Answers those who have asked.
  void serve();
  /// The answers of all ranks; nothing for those that don't answer within `patience`.
  [[nodiscard]] std::vector<std::optional<CallRecord>> ask(std::chrono::milliseconds patience);

 private:
  void answer(int rank);

  rt::Communicator comm_;
  CallRecord mine_;
};

}  // namespace cartwright::comm
