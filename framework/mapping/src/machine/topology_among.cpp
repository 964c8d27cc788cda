// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cartwright/mapping/machine/topology_among.hpp>
#include <cartwright/rt/agreement.hpp>
#include <cartwright/rt/mpi_check.hpp>

namespace cartwright::mapping {

Topology among(const rt::Communicator& some, const Topology& of_all) {
  Topology topology = of_all;
  topology.rank = some.rank().value;
  topology.ranks = some.size();
  const rt::Communicator node = some.split(of_all.here.node, of_all.here.slot_on_node);
  topology.here.slot_on_node = node.rank().value;
  topology.node_size = node.size();
  topology.ranks_on_node = rt::collected(node, topology.rank);
  std::ranges::sort(topology.ranks_on_node);
  // Nodes in the order of their numbers; of each, its first rank speaks.
  const rt::Communicator leaders = some.split(node.is_root() ? 0 : MPI_UNDEFINED, of_all.here.node);
  std::array<int, 5> facts{};  // my node, nodes, ranks on nodes before, smallest and largest node
  if (leaders) {
    facts[0] = leaders.rank().value;
    facts[1] = leaders.size();
    rt::mpi_blocking("MPI_Exscan", MPI_Exscan, &topology.node_size, &facts[2], 1, MPI_INT, MPI_SUM,
                     leaders.handle());
    if (leaders.is_root()) facts[2] = 0;  // MPI leaves it undefined
    std::array<int, 2> sizes{topology.node_size, -topology.node_size};
    rt::combine(leaders, sizes, rt::Combine::smallest);
    facts[3] = sizes[0];
    facts[4] = -sizes[1];
  }
  facts = rt::shared(node, facts);
  topology.here.node = facts[0];
  topology.nodes = facts[1];
  topology.first_slot = facts[2];
  topology.smallest_node = facts[3];
  topology.largest_node = facts[4];
  if (!of_all.is_virtual) topology.machine_nodes = topology.nodes;
  return topology;
}

}  // namespace cartwright::mapping
