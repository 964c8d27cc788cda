// SPDX-License-Identifier: Apache-2.0
#include <cartwright/rt/agreement.hpp>
#include <cartwright/rt/node_group.hpp>
#include <map>

namespace cartwright::rt {

NodeGroup::NodeGroup(const Communicator& world) : comm_(world.split_shared_memory()) {
  const int lowest = shared(comm_, world.rank().value);
  node_of_ = collected(world, lowest);
  std::map<int, int> numbers;  // by lowest rank, which comes first
  for (int& node : node_of_) node = numbers.try_emplace(node, numbers.size()).first->second;
  count_ = static_cast<int>(numbers.size());
  number_ = numbers.at(lowest);
}

std::vector<int> NodeGroup::ranks_of(int node) const {
  std::vector<int> ranks;
  for (std::size_t rank = 0; rank < node_of_.size(); ++rank)
    if (node_of_[rank] == node) ranks.push_back(static_cast<int>(rank));
  return ranks;
}

}  // namespace cartwright::rt
