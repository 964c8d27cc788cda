// SPDX-License-Identifier: Apache-2.0
#include "machine.hpp"

#include <fmt/format.h>
#include <mpi.h>
#include <omp.h>

#include <cartwright/grid/run/thread_binding.hpp>
#include <cartwright/rt/mpi_check.hpp>
#include <thread>

namespace cartwright::bench {

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
