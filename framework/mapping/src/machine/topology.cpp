// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/mapping/machine/topology.hpp>

namespace cartwright::mapping {

bool Topology::is_on_my_node(int other) const noexcept {
  return std::binary_search(ranks_on_node.begin(), ranks_on_node.end(), other);
}

std::string Topology::describe() const {
  std::string text = fmt::format("{} rank{} on {} node{}", ranks, ranks == 1 ? "" : "s", nodes,
                                 nodes == 1 ? "" : "s");
  if (nodes > 1 && is_uniform()) text += fmt::format(" of {}", largest_node);
  if (nodes > 1 && !is_uniform()) text += fmt::format(" of {} to {}", smallest_node, largest_node);
  if (is_virtual) {
    text += fmt::format(" (virtual, over {} real node{})", machine_nodes,
                        machine_nodes == 1 ? "" : "s");
  }
  if (oversubscribed) text += ", more ranks than cores";
  return text;
}

}  // namespace cartwright::mapping
