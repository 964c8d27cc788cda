// SPDX-License-Identifier: Apache-2.0
#include "machine.hpp"

#include <fmt/format.h>
#include <mpi.h>
#include <omp.h>
#include <sched.h>
#include <sys/utsname.h>

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

int cores_allowed() {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
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
  const rt::Communicator node = comm.split_shared_memory();
  int wanted = threads();
  rt::mpi_check(MPI_Allreduce(MPI_IN_PLACE, &wanted, 1, MPI_INT, MPI_SUM, node.handle()),
                "MPI_Allreduce");
  int crowded =
      cores_allowed() < threads() || static_cast<int>(std::thread::hardware_concurrency()) < wanted;
  rt::mpi_check(MPI_Allreduce(MPI_IN_PLACE, &crowded, 1, MPI_INT, MPI_MAX, comm.handle()),
                "MPI_Allreduce");
  return crowded != 0 ? "threads share cores: the ratios of this run say little" : "";
}

}  // namespace cartwright::bench
