// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <array>
#include <cartwright/comm/call_record.hpp>
#include <cartwright/rt/communicator.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace cartwright::comm {

/// Compares the hash of a call across the ranks, without blocking: the greatest hash is also the
/// least one if all are the same.
class CallComparison {
 public:
  /// Collective in the order of starts. `comm` carries nothing but comparisons.
  CallComparison(const rt::Communicator& comm, const CallRecord& record);
  CallComparison(const CallComparison&) = delete;
  CallComparison& operator=(const CallComparison&) = delete;
  ~CallComparison();

  [[nodiscard]] const CallRecord& record() const { return record_; }
  /// Polls; true when the result is there.
  [[nodiscard]] bool is_complete();
  /// When complete.
  [[nodiscard]] bool ranks_agree() const;

 private:
  struct Buffers {
    std::array<std::uint64_t, 2> mine{};
    std::array<std::uint64_t, 2> greatest{};
  };
  CallRecord record_;
  bool is_complete_ = false;
  std::unique_ptr<Buffers> buffers_;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

/// Tells all ranks what each has called, after they have found that they don't agree. Throws the
/// error that says so. Waits a while for ranks that do something else meanwhile.
[[noreturn]] void report_disagreement(const rt::Communicator& comm, const CallRecord& mine);

}  // namespace cartwright::comm
