// SPDX-License-Identifier: Apache-2.0
// Stands for a solver in the launcher's tests: does what the override act=… says.
#include <mpi.h>
#include <sched.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

volatile std::sig_atomic_t stop_requested = 0;

int cores_of_this_rank() {
  cpu_set_t set;
  sched_getaffinity(0, sizeof set, &set);
  return CPU_COUNT(&set);
}

/// Steps until all ranks know of a request to stop; 4 then, 0 after half a minute.
int run_until_stopped(bool obey) {
  for (int step = 0; step < 600; ++step) {
    usleep(50000);
    int mine = obey ? static_cast<int>(stop_requested) : 0;
    int all = 0;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (all != 0) return 4;
  }
  return 0;
}

/// As real programs say that they have written their final report, or why they have not.
void write_verdict(const std::string& verdict) {
  const char* const name = std::getenv("CARTWRIGHT_VERDICT");
  std::FILE* const file = name != nullptr ? std::fopen(name, "a") : nullptr;
  if (file == nullptr) return;
  std::fputs((verdict + "\n").c_str(), file);
  std::fclose(file);
}

/// With every exit code but that of a stop on request something has been said.
int end_by_code(int code) {
  if (code != 0 && code != 4) write_verdict("failed me " + std::to_string(code));
  return code;
}

/// As real programs do that their watchers end, while mpirun still waits for a node that is cut
/// off.
int end_by_watcher() {
  write_verdict("ended");
  return run_until_stopped(false);
}

int act(const std::string& what, bool last_rank) {
  if (what == "silence") return end_by_watcher();
  if (what == "wait") return run_until_stopped(true);
  if (what == "deaf") return run_until_stopped(false);
  if (what.starts_with("exit")) return end_by_code(std::atoi(what.c_str() + 4));
  if (what == "mum") return 1;
  if (last_rank && what.starts_with("abort")) {
    std::fprintf(stderr, "cartwright: error: as told\n");
    MPI_Abort(MPI_COMM_WORLD, end_by_code(std::atoi(what.c_str() + 5)));
  }
  if (last_rank && what.starts_with("signal")) std::raise(std::atoi(what.c_str() + 6));
  if (what.starts_with("abort") || what.starts_with("signal")) return run_until_stopped(false);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::string what;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--print-config")
      return std::printf("output:\n  directory: %s\n", std::getenv("FAKE_OUTPUT")) > 0 ? 0 : 1;
    if (argument.starts_with("act=")) what = argument.substr(4);
  }
  // One of them, as the MPI's mpirun passes it on; what the launcher sends is right if this hears
  // it.
  const int request = std::getenv("CARTWRIGHT_LAUNCHER") != nullptr ? SIGUSR2 : SIGTERM;
  std::signal(request, [](int) { stop_requested = 1; });
  // The last of two ranks dies before MPI has started.
  const char* early = std::getenv("PMI_RANK");
  if (early == nullptr) early = std::getenv("OMPI_COMM_WORLD_RANK");
  if (what.starts_with("early") && early != nullptr && *early == '1')
    std::raise(std::atoi(what.c_str() + 5));
  MPI_Init(&argc, &argv);
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const char* threads = std::getenv("OMP_NUM_THREADS");
  std::printf("rank %d of %d, %s threads, %d cores\n", rank, size,
              threads != nullptr ? threads : "?", cores_of_this_rank());
  for (int i = 1; rank == 0 && i < argc; ++i) std::printf("argument %s\n", argv[i]);
  std::fflush(stdout);
  const int code = act(what, rank == size - 1);
  if (rank == 0 && (code == 0 || code == 4) && what != "mute") write_verdict("finished");
  MPI_Finalize();
  return code;
}
