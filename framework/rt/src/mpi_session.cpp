// SPDX-License-Identifier: Apache-2.0
#include <mpi.h>
#include <unistd.h>

#include <cartwright/rt/error.hpp>
#include <cartwright/rt/failure.hpp>
#include <cartwright/rt/mpi_check.hpp>
#include <cartwright/rt/mpi_session.hpp>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <initializer_list>

#include "mpi_start.hpp"
#include "start_limit.hpp"
#include "watch.hpp"

namespace cartwright::rt {

MpiSession::FileLimit::FileLimit() noexcept : former_(std::signal(SIGXFSZ, SIG_IGN)) {}

MpiSession::FileLimit::~FileLimit() {
  std::signal(SIGXFSZ, former_);
}

MpiSession::MpiSession() {
  int finalised = 0;
  mpi_check(MPI_Finalized(&finalised), "MPI_Finalized");
  if (finalised != 0) {
    throw internal_failure("MPI was finalised before this run began",
                           "MPI can't be started twice in one process: call MPI_Finalize later.");
  }
  const bool is_running = mpi_is_running();
  if (!is_running) prepare_to_start_mpi();
  const StartLimit limit(5.0 * WatchLimits::silence_of_environment());
  if (is_running) {
    mpi_check(MPI_Query_thread(&thread_level_), "MPI_Query_thread");
  } else {
    mpi_check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &thread_level_),
              "MPI_Init_thread");
    started_here_ = true;
  }
  int is_main_thread = 0;
  mpi_check(MPI_Is_thread_main(&is_main_thread), "MPI_Is_thread_main");
  if (thread_level_ < MPI_THREAD_FUNNELED && !started_here_) {
    throw internal_failure("MPI was started without support for threads (MPI_THREAD_SINGLE)",
                           "Start it with MPI_Init_thread and at least MPI_THREAD_FUNNELED.",
                           Reach::all_ranks);
  }
  if (is_main_thread == 0) {
    throw internal_failure("a run was started on a thread that didn't start MPI",
                           "Start it on the thread that called MPI_Init_thread.");
  }
  try {
    world_ = Communicator::duplicate(MPI_COMM_WORLD);
    arena_ = Arena(world_);
    watcher_.start(world_, arena_);
  } catch (...) {  // others wait for this rank
    FailureGuard::end_start(as_error(std::current_exception()), MPI_COMM_WORLD);
  }
}

MpiSession::~MpiSession() {
  arena_ = {};
  world_ = {};
  if (!started_here_ || !mpi_is_running()) return;
  const WaitScope waiting({"MPI_Finalize"});
  MPI_Finalize();
}

void abort_all_ranks(int code) noexcept {
  if (mpi_is_running()) MPI_Abort(MPI_COMM_WORLD, code);
  ::_exit(code);
}

int rank_from_environment() noexcept {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"}) {
    if (const char* text = std::getenv(name)) return std::atoi(text);  // NOLINT(*-err34-c)
  }
  return 0;
}

}  // namespace cartwright::rt
