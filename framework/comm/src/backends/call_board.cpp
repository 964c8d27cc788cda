// SPDX-License-Identifier: Apache-2.0
#include <mpi.h>

#include <cartwright/comm/backends/call_board.hpp>
#include <cartwright/rt/mpi_check.hpp>
#include <cartwright/rt/request.hpp>

namespace cartwright::comm {

namespace {

constexpr int question_tag = 1;
constexpr int answer_tag = 2;
constexpr int record_bytes = static_cast<int>(sizeof(CallRecord));

}  // namespace

CallBoard::CallBoard(const rt::Communicator& comm) : comm_(comm.duplicate()) {}

void CallBoard::serve() {
  for (;;) {
    int found = 0;
    MPI_Status status;
    rt::mpi_check(MPI_Iprobe(MPI_ANY_SOURCE, question_tag, comm_.handle(), &found, &status),
                  "MPI_Iprobe");
    if (found == 0) return;
    rt::mpi_blocking("MPI_Recv", MPI_Recv, nullptr, 0, MPI_BYTE, status.MPI_SOURCE, question_tag,
                     comm_.handle(), MPI_STATUS_IGNORE);
    answer(status.MPI_SOURCE);
  }
}

void CallBoard::answer(int rank) {
  // Small enough to leave at once; whoever has asked has posted its receive before.
  rt::mpi_blocking("MPI_Send", MPI_Send, &mine_, record_bytes, MPI_BYTE, rank, answer_tag,
                   comm_.handle());
}

std::vector<std::optional<CallRecord>> CallBoard::ask(std::chrono::milliseconds patience) {
  const auto ranks = static_cast<std::size_t>(comm_.size());
  struct Asking {
    std::vector<CallRecord> records;
    std::vector<MPI_Request> answers;
    std::vector<MPI_Request> questions;
  };
  const std::vector<MPI_Request> none(ranks, MPI_REQUEST_NULL);
  auto asking = std::make_unique<Asking>(Asking{std::vector<CallRecord>(ranks), none, none});
  std::vector<std::optional<CallRecord>> found(ranks);
  found[static_cast<std::size_t>(comm_.rank().value)] = mine_;
  for (int rank = 0; rank < comm_.size(); ++rank) {
    const auto at = static_cast<std::size_t>(rank);
    if (found[at]) continue;
    rt::mpi_check(MPI_Irecv(&asking->records[at], record_bytes, MPI_BYTE, rank, answer_tag,
                            comm_.handle(), &asking->answers[at]),
                  "MPI_Irecv");
    rt::mpi_check(
        MPI_Isend(nullptr, 0, MPI_BYTE, rank, question_tag, comm_.handle(), &asking->questions[at]),
        "MPI_Isend");
  }
  std::size_t known = 1;
  const auto deadline = std::chrono::steady_clock::now() + patience;
  for (rt::Patience wait(false); known < ranks && std::chrono::steady_clock::now() < deadline;
       wait.pause()) {
    serve();  // others may ask at the same time
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      if (found[rank]) continue;
      int done = 0;
      rt::mpi_check(MPI_Test(&asking->answers[rank], &done, MPI_STATUS_IGNORE), "MPI_Test");
      if (done == 0) continue;
      found[rank] = asking->records[rank];
      ++known;
    }
  }
  // Questions that nobody takes, and answers that never come, stay MPI's: this is a run that fails.
  (void)asking.release();
  return found;
}

}  // namespace cartwright::comm
