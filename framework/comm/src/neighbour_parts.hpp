// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/comm/execution/parted_message.hpp>
#include <cstddef>

namespace cartwright::comm {

/// In how many parts a message to that rank, or from it, comes soonest: between nodes, by the
/// machine that was measured. The same on both.
[[nodiscard]] inline int parts_of_message(const CartComm& cart, rt::Rank other, std::size_t bytes) {
  const auto& machine = cart.all().context().knowledge->machine;
  if (!machine || machine->levels.empty() || !cart.is_off_node(other)) return 1;
  return parts_on(machine->levels.front().network, bytes);
}

}  // namespace cartwright::comm
