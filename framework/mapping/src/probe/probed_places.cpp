// SPDX-License-Identifier: Apache-2.0
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cartwright/mapping/probe/probe_hierarchy.hpp>
#include <cartwright/rt/agreement.hpp>
#include <cartwright/rt/mpi_check.hpp>

namespace cartwright::mapping {
namespace {

bool is_chosen(const Topology& topology, int most) {
  if (topology.ranks <= most) return true;
  const int share = topology.nodes == 1 ? most : std::max(1, most / 2);
  const int per_node = std::min(topology.largest_node, share);
  const int nodes = std::max(1, most / per_node);
  if (topology.here.node >= nodes) return false;
  const long long slot = topology.here.slot_on_node;
  return slot * per_node % topology.node_size < std::min(per_node, topology.node_size);
}

}  // namespace

ProbedPlaces choose_probed(const rt::Communicator& comm, const Topology& topology, int most) {
  constexpr std::size_t fields = 7;
  const int mine = is_chosen(topology, most) ? 1 : 0;
  int index = 0;
  rt::mpi_blocking("MPI_Exscan", MPI_Exscan, &mine, &index, 1, MPI_INT, MPI_SUM, comm.handle());
  const int count = rt::combined(comm, mine, rt::Combine::sum);
  if (comm.is_root()) index = 0;
  std::vector<int> table(static_cast<std::size_t>(count) * fields, -1);
  if (mine == 1) {
    const Place& here = topology.here;
    const std::array<int, fields> row{comm.rank().value, here.node, here.slot_on_node, here.package,
                                      here.numa,         here.l3,   here.core};
    std::ranges::copy(
        row, table.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(index) * fields));
  }
  rt::combine(comm, table, rt::Combine::largest);
  const bool shared = topology.oversubscribed || topology.binding.sharing_ranks > 0;
  ProbedPlaces probed{{}, {}, topology.is_virtual, shared};
  for (auto row = table.begin(); row != table.end(); row += fields) {
    probed.ranks.push_back(row[0]);
    probed.places.push_back({row[1], row[2], row[3], row[4], row[5], row[6]});
  }
  return probed;
}

}  // namespace cartwright::mapping
