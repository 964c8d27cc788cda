// SPDX-License-Identifier: Apache-2.0
#include <mpi.h>

#include <cartwright/comm/node_view.hpp>
#include <cartwright/rt/mpi_check.hpp>
#include <vector>

namespace cartwright::comm {

namespace {

std::vector<int> node_of_each(const rt::Communicator& comm, const mapping::Topology& topology) {
  std::vector<int> nodes(static_cast<std::size_t>(comm.size()), topology.here.node);
  if (topology.nodes == 1) return nodes;
  rt::mpi_blocking("MPI_Allgather", MPI_Allgather, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, nodes.data(),
                   1, MPI_INT, comm.handle());
  return nodes;
}

}  // namespace

NodeView NodeView::of(const rt::Communicator& comm, const mapping::Topology& topology) {
  NodeView view;
  view.nodes_ = std::make_shared<const plan::Hierarchy>(
      plan::Hierarchy::named({node_of_each(comm, topology)}));
  view.mine_ = view.nodes_->member_at(0, view.nodes_->place_of(comm.rank().value));
  return view;
}

}  // namespace cartwright::comm
