// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/mapping/machine/core_binding.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/mpi_check.hpp>
#include <cstddef>
#include <memory>
#include <numeric>
#include <span>
#include <tuple>

#include "hardware.hpp"

namespace cartwright::mapping {

namespace {

struct ReleaseBitmap {
  void operator()(hwloc_bitmap_s* bitmap) const { hwloc_bitmap_free(bitmap); }
};
using Bitmap = std::unique_ptr<hwloc_bitmap_s, ReleaseBitmap>;

Hardware load_hardware() {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) {
    throw rt::internal_failure("hwloc can't start: no memory for the description of the machine");
  }
  Hardware hardware(raw);
  if (hwloc_topology_load(raw) != 0) {
    throw rt::internal_failure("hwloc can't read the hardware of this machine",
                               "Try `lstopo`: it should show cores and caches.");
  }
  return hardware;
}

/// Of this machine, which stays as it is: it takes more than ten milliseconds to read.
const Hardware& hardware_here() {
  static const Hardware hardware = load_hardware();
  return hardware;
}

/// The logical numbers of the objects of this type that hold some of these processors.
std::vector<int> objects_under(const Hardware& hardware, hwloc_obj_type_t type,
                               const Bitmap& cpus) {
  std::vector<int> numbers;
  hwloc_obj_t object = nullptr;
  while ((object = hwloc_get_next_obj_by_type(hardware.get(), type, object)) != nullptr) {
    if (hwloc_bitmap_intersects(object->cpuset, cpus.get()) != 0) {
      numbers.push_back(static_cast<int>(object->logical_index));
    }
  }
  return numbers;
}

int the_only(const std::vector<int>& numbers) {
  return numbers.size() == 1 ? numbers.front() : -1;
}

struct RankCores {
  Place place;
  std::vector<int> cores;
};

RankCores cores_of(const Hardware& hardware, std::span<const int> cpus) {
  const Bitmap set(hwloc_bitmap_alloc());
  for (const int cpu : cpus) hwloc_bitmap_set(set.get(), static_cast<unsigned>(cpu));
  RankCores found;
  found.cores = objects_under(hardware, core_type(hardware), set);
  found.place.package = the_only(objects_under(hardware, HWLOC_OBJ_PACKAGE, set));
  found.place.numa = the_only(objects_under(hardware, HWLOC_OBJ_NUMANODE, set));
  found.place.l3 = the_only(objects_under(hardware, HWLOC_OBJ_L3CACHE, set));
  found.place.core = the_only(found.cores);
  return found;
}

/// Slots in the order of (package, NUMA node, L3, core); ranks whose place is unknown keep theirs.
void number_slots(std::vector<RankCores>& ranks) {
  std::vector<std::size_t> order(ranks.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const auto key = [](const Place& p) { return std::tuple(p.package, p.numa, p.l3, p.core); };
    return key(ranks[a].place) < key(ranks[b].place);
  });
  for (std::size_t slot = 0; slot < order.size(); ++slot) {
    ranks[order[slot]].place.slot_on_node = static_cast<int>(slot);
  }
}

Binding judge(const std::vector<RankCores>& ranks, int machine_cores) {
  std::vector<int> users(static_cast<std::size_t>(machine_cores), 0);
  for (const auto& rank : ranks) {
    for (const int core : rank.cores) ++users[static_cast<std::size_t>(core)];
  }
  Binding binding;
  binding.ranks = static_cast<int>(ranks.size());
  binding.fewest_cores = machine_cores;
  binding.smallest_node_cores = machine_cores;
  for (const auto& rank : ranks) {
    const auto cores = static_cast<int>(rank.cores.size());
    binding.fewest_cores = std::min(binding.fewest_cores, cores);
    binding.most_cores = std::max(binding.most_cores, cores);
    binding.unbound_ranks += cores == machine_cores && machine_cores > 1 ? 1 : 0;
    binding.sharing_ranks += std::any_of(rank.cores.begin(), rank.cores.end(), [&](int core) {
      return users[static_cast<std::size_t>(core)] > 1;
    });
  }
  return binding;
}

/// What every rank of a node is told; trivially copyable.
struct Answer {
  Place here;
  int cores;
  Binding binding;
};

std::vector<Answer> answer_all(std::span<const int> all_cpus, std::span<const int> counts) {
  const Hardware& hardware = hardware_here();
  std::vector<RankCores> ranks;
  std::size_t first = 0;
  for (const int count : counts) {
    ranks.push_back(cores_of(hardware, all_cpus.subspan(first, static_cast<std::size_t>(count))));
    first += static_cast<std::size_t>(count);
  }
  number_slots(ranks);
  const int machine_cores =
      std::max(1, hwloc_get_nbobjs_by_type(hardware.get(), core_type(hardware)));
  const Binding binding = judge(ranks, machine_cores);
  std::vector<int> used;
  for (const auto& rank : ranks) used.insert(used.end(), rank.cores.begin(), rank.cores.end());
  std::sort(used.begin(), used.end());
  const auto cores = std::unique(used.begin(), used.end()) - used.begin();
  std::vector<Answer> answers;
  answers.reserve(ranks.size());
  for (const auto& rank : ranks) {
    answers.push_back({rank.place, std::max(1, static_cast<int>(cores)), binding});
  }
  return answers;
}

}  // namespace

NodeSurvey survey_node(const rt::Communicator& node, std::vector<int> cpus) {
  std::sort(cpus.begin(), cpus.end());
  cpus.erase(std::unique(cpus.begin(), cpus.end()), cpus.end());
  const auto mine = static_cast<int>(cpus.size());
  const std::size_t size = node.is_root() ? static_cast<std::size_t>(node.size()) : 0;
  std::vector<int> counts(size);
  rt::mpi_blocking("MPI_Gather", MPI_Gather, &mine, 1, MPI_INT, counts.data(), 1, MPI_INT, 0,
                   node.handle());
  std::vector<int> starts(size);
  std::exclusive_scan(counts.begin(), counts.end(), starts.begin(), 0);
  std::vector<int> all(static_cast<std::size_t>(std::accumulate(counts.begin(), counts.end(), 0)));
  rt::mpi_blocking("MPI_Gatherv", MPI_Gatherv, cpus.data(), mine, MPI_INT, all.data(),
                   counts.data(), starts.data(), MPI_INT, 0, node.handle());
  std::vector<Answer> answers;
  if (node.is_root()) answers = answer_all(all, counts);
  Answer answer{};
  constexpr int bytes = sizeof(Answer);
  rt::mpi_blocking("MPI_Scatter", MPI_Scatter, answers.data(), bytes, MPI_BYTE, &answer, bytes,
                   MPI_BYTE, 0, node.handle());
  return {answer.here, answer.cores, answer.binding};
}

}  // namespace cartwright::mapping
