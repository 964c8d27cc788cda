// SPDX-License-Identifier: Apache-2.0
// Builds that count lines: the counts are written at exit(), which a failed rank never reaches. The
// linker leads the calls that end a process at once to here (--wrap).
#include <mpi.h>
#include <pthread.h>

#include <atomic>
#include <csignal>

extern "C" {
#include <gcov.h>
}

// The linker's names.
// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {
[[noreturn]] void __real__exit(int code);
[[noreturn]] void __wrap__exit(int code);
int __real_MPI_Abort(MPI_Comm communicator, int code);
int __wrap_MPI_Abort(MPI_Comm communicator, int code);
}

namespace {

/// Once a process, and undisturbed: a file of counts that is left half-written takes no more.
void write_counts() {
  static std::atomic_flag begun;
  if (begun.test_and_set()) return;
  sigset_t every{};
  sigset_t before{};
  sigfillset(&every);
  pthread_sigmask(SIG_SETMASK, &every, &before);
  __gcov_dump();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace

void __wrap__exit(int code) {
  write_counts();
  __real__exit(code);
}

int __wrap_MPI_Abort(MPI_Comm communicator, int code) {
  write_counts();
  return __real_MPI_Abort(communicator, code);
}
// NOLINTEND(bugprone-reserved-identifier)
