// SPDX-License-Identifier: Apache-2.0
#include <cartwright/comm/call_board.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/mpi_check.hpp>
#include <cartwright/rt/request.hpp>
#include <memory>
#include <new>

namespace cartwright::comm {

namespace {

constexpr int record_bytes = static_cast<int>(sizeof(CallRecord));

}  // namespace

CallBoard::CallBoard(const rt::Communicator& comm) : ranks_(comm.size()) {
  void* memory = nullptr;
  rt::mpi_check(MPI_Win_allocate(record_bytes, 1, MPI_INFO_NULL, comm.handle(), &memory, &window_),
                "MPI_Win_allocate");
  rt::mpi_check(MPI_Win_set_errhandler(window_, MPI_ERRORS_RETURN), "MPI_Win_set_errhandler");
  mine_ = new (memory) CallRecord{};
  rt::mpi_check(MPI_Win_lock_all(MPI_MODE_NOCHECK, window_), "MPI_Win_lock_all");
  comm.barrier();  // nobody reads before all have written "nothing yet"
}

CallBoard::~CallBoard() {
  if (rt::unwinding() || !rt::mpi_is_running()) return;  // freeing waits for all ranks
  MPI_Win_unlock_all(window_);
  MPI_Win_free(&window_);
}

void CallBoard::begin(const CallRecord& record) {
  *mine_ = record;
  rt::mpi_check(MPI_Win_sync(window_), "MPI_Win_sync");
}

std::vector<std::optional<CallRecord>> CallBoard::read(std::chrono::milliseconds patience) {
  const auto ranks = static_cast<std::size_t>(ranks_);
  struct Reading {
    std::vector<CallRecord> records;
    std::vector<MPI_Request> requests;
  };
  auto reading = std::make_unique<Reading>(
      Reading{std::vector<CallRecord>(ranks), std::vector<MPI_Request>(ranks, MPI_REQUEST_NULL)});
  for (int rank = 0; rank < ranks_; ++rank) {
    const auto at = static_cast<std::size_t>(rank);
    rt::mpi_check(MPI_Rget(&reading->records[at], record_bytes, MPI_BYTE, rank, 0, record_bytes,
                           MPI_BYTE, window_, &reading->requests[at]),
                  "MPI_Rget");
  }
  std::vector<std::optional<CallRecord>> found(ranks);
  std::size_t known = 0;
  const auto deadline = std::chrono::steady_clock::now() + patience;
  for (rt::Patience wait(false); known < ranks && std::chrono::steady_clock::now() < deadline;
       wait.pause()) {
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      int done = 0;
      if (found[rank]) continue;
      rt::mpi_check(MPI_Test(&reading->requests[rank], &done, MPI_STATUS_IGNORE), "MPI_Test");
      if (done == 0) continue;
      found[rank] = reading->records[rank];
      ++known;
    }
  }
  if (known < ranks) (void)reading.release();  // still MPI's
  return found;
}

}  // namespace cartwright::comm
