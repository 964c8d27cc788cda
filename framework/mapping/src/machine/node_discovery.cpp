// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cartwright/mapping/machine/core_binding.hpp>
#include <cartwright/mapping/machine/topology.hpp>
#include <cartwright/mapping/machine/virtual_topology.hpp>
#include <cartwright/rt/agreement.hpp>
#include <cartwright/rt/mpi_check.hpp>
#include <cstdint>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

namespace cartwright::mapping {

namespace {

/// A hash of what tells one running system from another; 0: not known. Nodes may be containers that
/// share no memory, but the cores of one machine.
std::int64_t running_system() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string text;
  return file >> text ? static_cast<std::int64_t>(std::hash<std::string>{}(text)) : 0;
}

/// Whether all nodes of this rank's running system together have more ranks than that has cores.
/// Collective over the leaders of nodes.
bool shares_cores_with_nodes(const rt::Communicator& leaders, int node_size) {
  using Facts = std::array<std::int64_t, 2>;
  const Facts mine{running_system(), node_size};
  std::int64_t ranks = 0;
  for (const auto& [system, size] : rt::collected(leaders, mine))
    if (system == mine[0]) ranks += size;
  const std::int64_t cores = sysconf(_SC_NPROCESSORS_CONF);  // not only those that it may use
  return mine[0] != 0 && cores > 0 && ranks > cores;
}

/// Numbers the nodes in the order of their lowest ranks, and counts the ranks before each.
void number_nodes(const rt::Communicator& comm, const rt::Communicator& node, Topology& topology) {
  const rt::Communicator leaders = comm.split(node.is_root() ? 0 : MPI_UNDEFINED, topology.rank);
  std::array<int, 3> facts{};  // number of my node, number of nodes, ranks on nodes before mine
  if (leaders) {
    facts[0] = leaders.rank().value;
    facts[1] = leaders.size();
    rt::mpi_blocking("MPI_Exscan", MPI_Exscan, &topology.node_size, &facts[2], 1, MPI_INT, MPI_SUM,
                     leaders.handle());
    if (leaders.is_root()) facts[2] = 0;  // MPI leaves it undefined
    if (facts[1] > 1)
      topology.oversubscribed = shares_cores_with_nodes(leaders, topology.node_size);
  }
  facts = rt::shared(node, facts);
  topology.here.node = facts[0];
  topology.nodes = topology.machine_nodes = facts[1];
  topology.first_slot = facts[2];
}

/// What all ranks must agree on, because decisions rest on it.
void agree(const rt::Communicator& comm, const rt::Communicator& node, Topology& topology) {
  Binding& binding = topology.binding;  // of this node so far
  const bool more_ranks_than_cores =
      topology.oversubscribed || topology.node_size > topology.cores_on_node;
  std::array<int, 6> lowest{topology.node_size,          -topology.node_size,
                            binding.fewest_cores,        -binding.most_cores,
                            binding.smallest_node_cores, more_ranks_than_cores ? 0 : 1};
  std::array<int, 2> sums{node.is_root() ? binding.unbound_ranks : 0,
                          node.is_root() ? binding.sharing_ranks : 0};
  rt::combine(comm, lowest, rt::Combine::smallest);
  rt::combine(comm, sums, rt::Combine::sum);
  topology.smallest_node = lowest[0];
  topology.largest_node = -lowest[1];
  topology.oversubscribed = lowest[5] == 0;
  binding = {.ranks = comm.size(),
             .nodes = topology.nodes,
             .fewest_cores = lowest[2],
             .most_cores = -lowest[3],
             .unbound_ranks = sums[0],
             .sharing_ranks = sums[1],
             .smallest_node_cores = lowest[4]};
}

}  // namespace

Topology discover(const rt::Communicator& comm, std::string_view virtual_spec,
                  const std::vector<int>& cpus) {
  Topology topology;
  topology.rank = comm.rank().value;
  topology.ranks = comm.size();
  const rt::Communicator node = comm.split_shared_memory();
  topology.node_size = node.size();
  topology.ranks_on_node = rt::collected(node, topology.rank);
  const NodeSurvey survey = survey_node(node, cpus);
  topology.here = survey.here;
  topology.cores_on_node = survey.cores;
  topology.binding = survey.binding;
  number_nodes(comm, node, topology);
  agree(comm, node, topology);
  if (!virtual_spec.empty()) {
    lay_over(VirtualTopology::parse(virtual_spec), topology.rank, topology);
  }
  return topology;
}

}  // namespace cartwright::mapping
