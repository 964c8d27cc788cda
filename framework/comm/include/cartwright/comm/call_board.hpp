// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cartwright/comm/call_record.hpp>
#include <cartwright/rt/communicator.hpp>
#include <chrono>
#include <optional>
#include <vector>

namespace cartwright::comm {

/// Where each rank writes what it has called last, for a rank that waits too long to read.
/// One-sided: a rank that is stuck, or dead on this node, need not answer.
class CallBoard {
 public:
  /// Collective.
  explicit CallBoard(const rt::Communicator& comm);
  CallBoard(const CallBoard&) = delete;
  CallBoard& operator=(const CallBoard&) = delete;
  /// Collective, except while an exception unwinds.
  ~CallBoard();

  /// Writes this rank's entry.
  void begin(const CallRecord& record);
  /// The entries of all ranks; nothing for those that can't be read within `patience`.
  [[nodiscard]] std::vector<std::optional<CallRecord>> read(std::chrono::milliseconds patience);

 private:
  int ranks_;
  CallRecord* mine_ = nullptr;
  MPI_Win window_ = MPI_WIN_NULL;
};

}  // namespace cartwright::comm
