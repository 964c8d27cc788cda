// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/comm/backends/block_check.hpp>
#include <cartwright/comm/backends/call_check.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/mpi_check.hpp>
#include <optional>
#include <vector>

#include "patient_exchange.hpp"

namespace cartwright::comm {

namespace {

constexpr const char* all_alike =
    "All ranks must call the same collectives of a communicator in the same order, with the same "
    "counts, root, operator and elements.";
constexpr const char* fitting_blocks =
    "All ranks must pass the same Blocks; to an alltoall, each its own, where what one sends to "
    "another is what that expects of it.";

}  // namespace

CallComparison::CallComparison(const rt::Communicator& comm, const CallRecord& record,
                               std::uint64_t balance)
    : record_(record),
      ranks_(static_cast<std::uint64_t>(comm.size())),
      buffers_(std::make_unique<Buffers>()) {
  buffers_->mine = {record.hash(), balance};
  rt::mpi_check(MPI_Iallreduce(buffers_->mine.data(), buffers_->sum.data(), 2, MPI_UINT64_T,
                               MPI_SUM, comm.handle(), &request_),
                "MPI_Iallreduce");
}

CallComparison::~CallComparison() {
  // A comparison that never ends, in a run that fails: MPI may still write to its memory.
  if (!is_complete_) (void)buffers_.release();
}

bool CallComparison::is_complete() {
  if (is_complete_) return true;
  int done = 0;
  rt::mpi_check(MPI_Test(&request_, &done, MPI_STATUS_IGNORE), "MPI_Test");
  is_complete_ = done != 0;
  return is_complete_;
}

bool CallComparison::ranks_agree() const {
  const auto [hashes, balance] = buffers_->sum;
  return hashes == ranks_ * buffers_->mine[0] && balance == 0;
}

void report_disagreement(const rt::Communicator& comm, const CallRecord& mine, const Call& call) {
  const auto ranks = static_cast<std::size_t>(comm.size());
  constexpr int bytes = static_cast<int>(sizeof(CallRecord));
  const auto records = patient_exchange(
      std::vector{mine}, ranks, [&](const CallRecord* in, CallRecord* out, MPI_Request* request) {
        rt::mpi_check(
            MPI_Iallgather(in, bytes, MPI_BYTE, out, bytes, MPI_BYTE, comm.handle(), request),
            "MPI_Iallgather");
      });
  const std::string what = fmt::format(
      "the ranks disagree about collective number {} of a communicator of {}:", mine.sequence,
      ranks);
  if (!records) {
    throw rt::internal_failure(
        fmt::format("{} rank {} calls {}, and not all others say what they call", what,
                    comm.rank().value, mine.describe()),
        all_alike);
  }
  const std::vector<std::optional<CallRecord>> table(records->begin(), records->end());
  // All ranks see the same records, and decide alike.
  const bool is_about_blocks = std::ranges::all_of(*records, [&](const CallRecord& record) {
    return record.agrees_but_for_blocks(records->front());
  });
  const std::string blocks = is_about_blocks ? disputed_blocks(comm, call) : "";
  throw rt::internal_failure(what + table_of(table, false) + blocks,
                             is_about_blocks ? fitting_blocks : all_alike, rt::Reach::all_ranks);
}

}  // namespace cartwright::comm
