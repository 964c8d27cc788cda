// SPDX-License-Identifier: Apache-2.0
#include "machine.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <cartwright/grid/run/thread_binding.hpp>
#include <cartwright/rt/agreement.hpp>
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
  const int wanted = rt::combined(node, binding.threads, rt::Combine::sum);
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  const bool have_cores = rt::on_all_ranks(comm, wanted <= cores);
  const grid::ThreadReport threads = grid::describe(comm, binding);
  if (have_cores && !threads.is_doubtful) return {};
  return "threads share cores: the ratios of this run say little";
}

}  // namespace cartwright::bench
