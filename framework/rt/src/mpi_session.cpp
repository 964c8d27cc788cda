// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <fmt/format.h>
#include <mpi.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cartwright/rt/error.hpp>
#include <cartwright/rt/failure.hpp>
#include <cartwright/rt/mpi_check.hpp>
#include <cartwright/rt/mpi_session.hpp>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <initializer_list>
#include <string_view>

#include "memory_use.hpp"

namespace cartwright::rt {

namespace {

/// Without handles MPI ends the process in its own words, and in strange ways.
void require_handles_for_mpi() {
  constexpr rlim_t many = 256, needed = 16;  // Open MPI 4.1 began with 15, not with 14
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= many) return;
  rlim_t free = 0;
  for (rlim_t handle = 0; handle < limit.rlim_cur; ++handle)
    if (fcntl(static_cast<int>(handle), F_GETFD) == -1) ++free;
  if (free >= needed) return;
  throw internal_failure(
      fmt::format("MPI and its libraries need about {} open files to start, and {} are left of the "
                  "{} that a process may have",
                  needed, free, limit.rlim_cur),
      "Raise the limit on open files (ulimit -n).");
}

/// The environment variable by which Open MPI is told how to write files collectively.
constexpr const char* file_collectives = "OMPI_MCA_fcoll";

/// Open MPI 4.1 writes collectively by its component "vulcan", which has lost whole blocks here
/// (7 of 25 small files, 3 ranks on 2 cores; "two_phase": none of 85). A user's own choice stands.
void choose_sound_file_collectives() {
#ifdef OPEN_MPI
  setenv(file_collectives, "two_phase", 0);  // NOLINT(concurrency-mt-unsafe): before any thread
#endif
}

/// MPICH 4.0's own MPI_Reduce between the ranks of a node copies from the address MPI_IN_PLACE
/// where the root isn't rank 0 and there are more than some hundred bytes: a segmentation fault.
/// Its general algorithms are sound. A user's own choice stands.
void choose_sound_reductions() {
#ifdef MPICH_VERSION
  // NOLINTNEXTLINE(concurrency-mt-unsafe): before any thread
  setenv("MPIR_CVAR_REDUCE_DEVICE_COLLECTIVE", "0", 0);
#endif
}

#ifdef OPEN_MPI
constexpr const char* shared_memory = "/dev/shm";

bool has_room(const char* folder, std::size_t bytes) {
  struct statvfs status {};
  return ::statvfs(folder, &status) == 0 &&
         static_cast<std::size_t>(status.f_bavail) * status.f_frsize >= bytes;
}

/// Whether the ranks of this node find room there for what Open MPI makes for each of them.
bool has_room_for_messages(const char* folder, std::size_t ranks) {
  constexpr std::size_t segment = std::size_t{4} << 20;  // btl_vader_segment_size
  return has_room(folder, ranks * (segment + 4096));
}

/// With every file that it opens Open MPI makes a semaphore in /dev/shm, and hangs if some ranks
/// get one and others don't. All must decide the same: so little is not left by what ranks of this
/// job have put there, who take nothing unless there is much more.
void choose_room_for_file_pointers() {
  constexpr std::size_t enough = std::size_t{1} << 20;
  if (!has_room(shared_memory, enough))
    setenv("OMPI_MCA_sharedfp", "lockedfile", 0);  // NOLINT(concurrency-mt-unsafe)
}
#endif

/// Open MPI passes messages between the ranks of a node through files in /dev/shm. Where that is
/// full (containers have 64 MB) ranks die by SIGBUS as they touch them, or talk through the
/// network: another folder does as well. Ranks may decide differently.
void choose_room_for_messages() {
#ifdef OPEN_MPI
  choose_room_for_file_pointers();
  const char* const number = std::getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
  const std::size_t ranks = number != nullptr ? std::strtoul(number, nullptr, 10) : 1;
  if (ranks < 2 || has_room_for_messages(shared_memory, ranks)) return;
  const char* const temporary = std::getenv("TMPDIR");
  for (const char* folder : {temporary, "/tmp"}) {
    if (folder == nullptr || !has_room_for_messages(folder, ranks)) continue;
    // NOLINTNEXTLINE(concurrency-mt-unsafe): before any thread
    setenv("OMPI_MCA_btl_vader_backing_directory", folder, 0);
    return;
  }
#endif
}

}  // namespace

bool file_collectives_are_sound() noexcept {
#ifdef OPEN_MPI
  const char* const chosen = std::getenv(file_collectives);
  return chosen != nullptr && std::string_view(chosen).find("vulcan") == std::string_view::npos;
#else
  return true;
#endif
}

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
  if (mpi_is_running()) {
    mpi_check(MPI_Query_thread(&thread_level_), "MPI_Query_thread");
  } else {
    require_memory_for_mpi();
    require_handles_for_mpi();
    choose_sound_file_collectives();
    choose_sound_reductions();
    choose_room_for_messages();
    // Nobody watches yet: the process that starts ranks has to notice if some don't come.
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
