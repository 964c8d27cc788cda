// SPDX-License-Identifier: Apache-2.0
#include <cartwright/comm/backends/node_view.hpp>
#include <cartwright/rt/agreement.hpp>
#include <vector>

namespace cartwright::comm {

namespace {

std::vector<int> node_of_each(const rt::Communicator& comm, const mapping::Topology& topology) {
  if (topology.nodes > 1) return rt::collected(comm, topology.here.node);
  return std::vector<int>(static_cast<std::size_t>(comm.size()), topology.here.node);
}

}  // namespace

NodeView::NodeView(const std::vector<int>& node_of_each, int me)
    : nodes_(std::make_shared<const plan::Hierarchy>(plan::Hierarchy::named({node_of_each}))),
      mine_(nodes_->member_at(0, nodes_->place_of(me))),
      node_ranks_(nodes_->largest_member(0)) {}

NodeView NodeView::of(const rt::Communicator& comm, const mapping::Topology& topology) {
  return {node_of_each(comm, topology), comm.rank().value};
}

NodeView NodeView::among(std::span<const int> ranks, int me) const {
  if (nodes_ == nullptr) return {};
  std::vector<int> nodes;
  nodes.reserve(ranks.size());
  for (const int rank : ranks) nodes.push_back(nodes_->member_at(0, nodes_->place_of(rank)));
  NodeView some(nodes, me);
  some.node_ranks_ = node_ranks_;
  return some;
}

}  // namespace cartwright::comm
