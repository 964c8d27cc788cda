// SPDX-License-Identifier: Apache-2.0
#include "mpi_start.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <mpi.h>
#include <sys/resource.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/failure.hpp>
#include <cartwright/rt/mpi_session.hpp>
#include <cstddef>
#include <cstdlib>
#include <initializer_list>
#include <string_view>

#include "memory_use.hpp"

namespace cartwright::rt {
namespace {

/// Ranks that this node was given by mpirun or srun, as far as they tell.
int ranks_on_node() {
  for (const char* name :
       {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "SLURM_NTASKS_PER_NODE"}) {
    if (const char* text = std::getenv(name))
      return std::max(1, std::atoi(text));  // NOLINT(*-err34-c)
  }
  return 1;
}

/// Where the limit on memory leaves too little for MPI to start in, it fails in strange ways,
/// crashes or hangs.
void require_memory() {
  const auto limit = memory_limit();
  // In GiB. Measured with Open MPI 4.1: 200 MiB, and 11 for each rank of the node.
  const double needed = (256 + 16 * ranks_on_node()) / 1024.0;
  if (!limit || limit->allowed - limit->held >= needed) return;
  throw out_of_memory(
      fmt::format("MPI and its libraries need about {:.2f} GiB to start", limit->held + needed),
      "Raise the limit on the memory of a process (ulimit -v).");
}

/// Without handles MPI ends the process in its own words, and in strange ways.
void require_handles() {
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

void prepare_to_start_mpi() {
  require_memory();
  require_handles();
  choose_sound_file_collectives();
  choose_sound_reductions();
  choose_room_for_messages();
}

bool file_collectives_are_sound() noexcept {
#ifdef OPEN_MPI
  const char* const chosen = std::getenv(file_collectives);
  return chosen != nullptr && std::string_view(chosen).find("vulcan") == std::string_view::npos;
#else
  return true;
#endif
}

}  // namespace cartwright::rt
