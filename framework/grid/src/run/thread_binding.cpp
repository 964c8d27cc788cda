// SPDX-License-Identifier: Apache-2.0
#include <cartwright/grid/run/thread_binding.hpp>

#include <fmt/format.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <array>
#include <cartwright/rt/agreement.hpp>
#include <cartwright/rt/binding.hpp>
#include <map>
#include <vector>
#ifdef _OPENMP
#include <omp.h>
#endif

namespace cartwright::grid {
namespace {

std::vector<std::vector<int>> ask_threads() {
#ifdef _OPENMP
  if (!Kokkos::is_initialized()) return {rt::cpu_set()};  // a program without kernels
  // An instance: concurrency() is static in Kokkos 3 only.
  const Kokkos::DefaultHostExecutionSpace space;
  const int threads = space.concurrency();  // NOLINT(readability-static-accessed-through-instance)
  std::vector<std::vector<int>> sets(static_cast<std::size_t>(threads));
#pragma omp parallel num_threads(threads)
  sets[static_cast<std::size_t>(omp_get_thread_num())] = rt::cpu_set();
  return sets;
#else
  return {rt::cpu_set()};
#endif
}

}  // namespace

ThreadBinding ThreadBinding::of_this_rank() {
  const auto sets = ask_threads();
  ThreadBinding result;
  result.threads = static_cast<int>(sets.size());
  std::map<int, int> users;
  for (const auto& set : sets) {
    for (const int cpu : set) ++users[cpu];
  }
  for (const auto& [cpu, threads] : users) result.cpus.push_back(cpu);
  for (const auto& set : sets)
    if (set.size() == 1 && users[set.front()] == 1) ++result.own_cores;
  return result;
}

ThreadReport describe(const rt::Communicator& comm, const ThreadBinding& binding) {
  const int cores = static_cast<int>(binding.cpus.size());
  // Minima of these: threads, minus threads, spare cores, and whether all threads have their own.
  std::array<int, 4> all{binding.threads, -binding.threads, cores - binding.threads,
                         static_cast<int>(binding.own_cores == binding.threads)};
  rt::combine(comm, all, rt::Combine::smallest);
  const std::string count =
      all[0] == -all[1] ? fmt::format("{}", all[0]) : fmt::format("{} to {}", all[0], -all[1]);
  ThreadReport report;
  report.is_doubtful = all[2] < 0;
  const char* where = "not bound to single cores";
  if (report.is_doubtful) where = "more than the cores that the rank may use";
  if (all[3] != 0) where = -all[1] == 1 ? "bound to its own core" : "each bound to its own core";
  report.text = fmt::format("{} a rank, {}", count, where);
  return report;
}

}  // namespace cartwright::grid
