// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/rt/arena.hpp>
#include <cartwright/rt/communicator.hpp>
#include <cartwright/rt/watcher.hpp>

namespace cartwright::rt {

/// MPI from here to the end of the scope: started (MPI_THREAD_FUNNELED) and finalised here, or only
/// borrowed when the caller has started it. Throws internal_failure when MPI can't serve threads as
/// asked, or was finalised before.
class MpiSession {
 public:
  MpiSession();
  MpiSession(const MpiSession&) = delete;
  MpiSession& operator=(const MpiSession&) = delete;
  ~MpiSession();

  /// A private duplicate of MPI_COMM_WORLD.
  [[nodiscard]] const Communicator& world() const noexcept { return world_; }
  /// What the ranks of a node share, and which nodes there are.
  [[nodiscard]] const Arena& arena() const noexcept { return arena_; }
  /// Watches over this process as long as the session lives, MPI_Finalize included.
  [[nodiscard]] Watcher& watcher() noexcept { return watcher_; }
  [[nodiscard]] bool started_here() const noexcept { return started_here_; }
  /// MPI_THREAD_FUNNELED, SERIALIZED or MULTIPLE.
  [[nodiscard]] int thread_level() const noexcept { return thread_level_; }

 private:
  /// A file that becomes larger than the process may write is that file's error (EFBIG), also of
  /// MPI's own, and not our end (SIGXFSZ).
  class FileLimit {
   public:
    FileLimit() noexcept;
    FileLimit(const FileLimit&) = delete;
    FileLimit& operator=(const FileLimit&) = delete;
    ~FileLimit();

   private:
    void (*former_)(int);
  };

  FileLimit file_limit_;
  Watcher watcher_;
  Communicator world_;
  Arena arena_;
  bool started_here_ = false;
  int thread_level_ = 0;
};

/// False where collective file writes may lose data: Open MPI's default, if the caller has started
/// MPI and nobody has chosen another component (OMPI_MCA_fcoll). Files are then written rank by
/// rank. Ask one rank: the environments of ranks may differ.
[[nodiscard]] bool file_collectives_are_sound() noexcept;

/// Ends all processes that were started together, as far as MPI runs, and this one.
[[noreturn]] void abort_all_ranks(int code) noexcept;

/// This process's number among those started together, from the environment that mpirun, srun and
/// the like give; 0 without one. For the few words that are said before (or without) MPI.
[[nodiscard]] int rank_from_environment() noexcept;

}  // namespace cartwright::rt
