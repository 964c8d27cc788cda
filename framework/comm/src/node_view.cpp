// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/comm/node_view.hpp>
#include <cartwright/rt/rank_group.hpp>
#include <memory>
#include <utility>
#include <vector>

namespace cartwright::comm {

NodeView NodeView::apart() {
  return {[](int) { return false; }, false};
}

NodeView NodeView::of(const rt::Communicator& comm, const rt::Communicator& parent,
                      const mapping::Topology& topology) {
  std::vector<int> here = rt::translate(topology.ranks_on_node, parent, comm);
  std::erase(here, -1);
  std::ranges::sort(here);
  const bool one_node = static_cast<int>(here.size()) == comm.size();
  return {[ranks = std::make_shared<const std::vector<int>>(std::move(here))](int rank) {
            return std::ranges::binary_search(*ranks, rank);
          },
          one_node};
}

}  // namespace cartwright::comm
