// SPDX-License-Identifier: Apache-2.0
#include "machine.hpp"

#include <fmt/format.h>
#include <mpi.h>
#include <omp.h>
#include <sys/utsname.h>

#include <cartwright/grid/thread_binding.hpp>
#include <cartwright/rt/mpi_check.hpp>
#include <fstream>
#include <thread>

namespace cartwright::bench {

namespace {

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("model name")) continue;
    const std::size_t colon = line.find(": ");
    if (colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown processor";
}

}  // namespace

std::string machine_name() {
  utsname system{};
  uname(&system);
  return fmt::format("{}, {} cores, {} {}", processor_name(), std::thread::hardware_concurrency(),
                     system.sysname, system.machine);
}

int threads() {
  return omp_get_max_threads();
}

std::string layout_name(const rt::Communicator& comm) {
  return fmt::format("{} rank{} x {} thread{}", comm.size(), comm.size() == 1 ? "" : "s", threads(),
                     threads() == 1 ? "" : "s");
}

std::string crowding(const rt::Communicator& comm) {
  const auto binding = grid::ThreadBinding::of_this_rank();
  const rt::Communicator node = comm.split_shared_memory();
  int wanted = binding.threads;
  rt::mpi_check(MPI_Allreduce(MPI_IN_PLACE, &wanted, 1, MPI_INT, MPI_SUM, node.handle()),
                "MPI_Allreduce");
  int crowded = static_cast<int>(std::thread::hardware_concurrency()) < wanted ? 1 : 0;
  rt::mpi_check(MPI_Allreduce(MPI_IN_PLACE, &crowded, 1, MPI_INT, MPI_MAX, comm.handle()),
                "MPI_Allreduce");
  const grid::ThreadReport threads = grid::describe(comm, binding);
  if (crowded == 0 && !threads.is_doubtful) return {};
  return "threads share cores: the ratios of this run say little";
}

}  // namespace cartwright::bench
