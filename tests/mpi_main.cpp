// SPDX-License-Identifier: Apache-2.0
// GoogleTest's main for tests that run on several ranks: every rank runs the same tests, a test
// passes if it passes on all ranks, and rank 0 speaks for all.
#include <gtest/gtest.h>
#include <mpi.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace {

// A rank that has failed waits this long for the others to end the test, which may be blocked in a
// message that never comes.
constexpr std::chrono::seconds patience_after_failure{20};

std::string failures_of(const testing::TestResult& result) {
  std::ostringstream text;
  for (int i = 0; i < result.total_part_count(); ++i) {
    const auto& part = result.GetTestPartResult(i);
    if (!part.failed()) continue;
    text << (part.file_name() != nullptr ? part.file_name() : "unknown file") << ':'
         << part.line_number() << ": " << part.message() << '\n';
  }
  return text.str();
}

// Brings the failures of all ranks to rank 0, where they become failures of the same test.
class MergeRanks : public testing::EmptyTestEventListener {
 public:
  MergeRanks() {
    MPI_Comm_dup(MPI_COMM_WORLD, &comm_);
    MPI_Comm_rank(comm_, &rank_);
    MPI_Comm_size(comm_, &size_);
  }
  MergeRanks(const MergeRanks&) = delete;
  MergeRanks& operator=(const MergeRanks&) = delete;
  ~MergeRanks() override { MPI_Comm_free(&comm_); }

  void OnTestEnd(const testing::TestInfo& test) override {
    const std::string mine = failures_of(*test.result());
    await_all_ranks(test, mine);
    const int length = rank_ == 0 ? 0 : static_cast<int>(mine.size());
    std::vector<int> lengths(static_cast<std::size_t>(size_));
    MPI_Gather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, comm_);
    if (rank_ != 0) {
      if (length > 0) MPI_Send(mine.data(), length, MPI_CHAR, 0, 0, comm_);
      return;
    }
    for (int rank = 1; rank < size_; ++rank) {
      std::string theirs(static_cast<std::size_t>(lengths[static_cast<std::size_t>(rank)]), ' ');
      if (theirs.empty()) continue;
      MPI_Recv(theirs.data(), static_cast<int>(theirs.size()), MPI_CHAR, rank, 0, comm_,
               MPI_STATUS_IGNORE);
      ADD_FAILURE() << "on rank " << rank << ":\n" << theirs;
    }
  }

 private:
  void await_all_ranks(const testing::TestInfo& test, const std::string& failures) const {
    MPI_Request barrier = MPI_REQUEST_NULL;
    MPI_Ibarrier(comm_, &barrier);
    const auto deadline = std::chrono::steady_clock::now() + patience_after_failure;
    for (int arrived = 0; arrived == 0;) {
      MPI_Test(&barrier, &arrived, MPI_STATUS_IGNORE);
      if (arrived != 0) return;
      std::this_thread::sleep_for(std::chrono::microseconds(50));
      if (!failures.empty() && std::chrono::steady_clock::now() > deadline) {
        std::fprintf(stderr, "%s.%s failed on rank %d, and the other ranks don't end:\n%s\n",
                     test.test_suite_name(), test.name(), rank_, failures.c_str());
        MPI_Abort(comm_, 1);
      }
    }
  }

  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 0;
};

int merged(int result) {
  MPI_Allreduce(MPI_IN_PLACE, &result, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  int level = 0;
  const bool has_threads = std::getenv("CARTWRIGHT_TEST_MPI_THREADS") != nullptr;
  MPI_Init_thread(&argc, &argv, has_threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_FUNNELED, &level);
  testing::InitGoogleTest(&argc, argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  auto& listeners = testing::UnitTest::GetInstance()->listeners();
  if (rank != 0) {
    delete listeners.Release(listeners.default_result_printer());
    testing::GTEST_FLAG(output) = "";
  }
  // Owned here, not by GoogleTest, which would free it after MPI_Finalize.
  auto merge = std::make_unique<MergeRanks>();
  listeners.Append(merge.get());  // appended: hears the end of a test before the printer does
  const int result = merged(RUN_ALL_TESTS());
  listeners.Release(merge.get());
  merge.reset();
  MPI_Finalize();
  return result;
}
