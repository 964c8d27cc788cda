// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cartwright/comm/call_check.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/mpi_check.hpp>
#include <cartwright/rt/request.hpp>
#include <chrono>

namespace cartwright::comm {

namespace {

constexpr const char* all_alike =
    "All ranks must call the same collectives of a communicator in the same order, with the same "
    "counts, root, operator and elements.";

/// False when `seconds` have passed.
bool completes_within(MPI_Request& request, std::chrono::seconds seconds) {
  const auto deadline = std::chrono::steady_clock::now() + seconds;
  rt::Patience patience(false);
  for (;;) {
    int done = 0;
    rt::mpi_check(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    if (done != 0) return true;
    if (std::chrono::steady_clock::now() > deadline) return false;
    patience.pause();
  }
}

}  // namespace

CallComparison::CallComparison(const rt::Communicator& comm, const CallRecord& record)
    : record_(record), buffers_(std::make_unique<Buffers>()) {
  const std::uint64_t hash = record.hash();
  buffers_->mine = {hash, ~hash};
  rt::mpi_check(MPI_Iallreduce(buffers_->mine.data(), buffers_->greatest.data(), 2, MPI_UINT64_T,
                               MPI_MAX, comm.handle(), &request_),
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
  return buffers_->greatest[0] == ~buffers_->greatest[1];
}

void report_disagreement(const rt::Communicator& comm, const CallRecord& mine) {
  const auto ranks = static_cast<std::size_t>(comm.size());
  struct Exchange {
    CallRecord mine;
    std::vector<CallRecord> all;
  };
  auto exchange = std::make_unique<Exchange>(Exchange{mine, std::vector<CallRecord>(ranks)});
  constexpr int bytes = static_cast<int>(sizeof(CallRecord));
  MPI_Request request = MPI_REQUEST_NULL;
  rt::mpi_check(MPI_Iallgather(&exchange->mine, bytes, MPI_BYTE, exchange->all.data(), bytes,
                               MPI_BYTE, comm.handle(), &request),
                "MPI_Iallgather");
  const std::string what = fmt::format(
      "the ranks disagree about collective number {} of a communicator of {}:", mine.sequence,
      ranks);
  if (completes_within(request, std::chrono::seconds(5))) {
    const std::vector<std::optional<CallRecord>> records(exchange->all.begin(),
                                                         exchange->all.end());
    throw rt::internal_failure(what + table_of(records, false), all_alike, rt::Reach::all_ranks);
  }
  (void)exchange.release();  // still MPI's
  throw rt::internal_failure(
      fmt::format("{} rank {} calls {}, and not all others say what they call", what,
                  comm.rank().value, mine.describe()),
      all_alike);
}

}  // namespace cartwright::comm
