// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <array>
#include <cartwright/comm/backends/call_record.hpp>
#include <cartwright/comm/calls/call.hpp>
#include <cartwright/rt/communicator.hpp>
#include <cstdint>
#include <memory>

namespace cartwright::comm {

/// Compares a call across the ranks, without blocking: if all have the same hash, the sum of all is
/// that many times each one's (hashes that differ pass with a chance of about 2^-60). A second sum
/// says whether the blocks of an alltoall fit together.
class CallComparison {
 public:
  /// Collective in the order of starts. `comm` carries nothing but comparisons.
  CallComparison(const rt::Communicator& comm, const CallRecord& record, std::uint64_t balance);
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
    std::array<std::uint64_t, 2> mine{};  ///< hash, balance
    std::array<std::uint64_t, 2> sum{};
  };
  CallRecord record_;
  std::uint64_t ranks_;
  bool is_complete_ = false;
  std::unique_ptr<Buffers> buffers_;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

/// Tells all ranks what each has called, after they have found that they don't agree; where only
/// the blocks are to blame, which ones. Throws the error that says so. Waits a while for ranks that
/// do something else meanwhile.
[[noreturn]] void report_disagreement(const rt::Communicator& comm, const CallRecord& mine,
                                      const Call& call);

}  // namespace cartwright::comm
