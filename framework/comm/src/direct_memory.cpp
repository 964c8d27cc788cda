// SPDX-License-Identifier: Apache-2.0
#include "direct_memory.hpp"

#include <cartwright/comm/cart_comm.hpp>
#include <optional>
#include <utility>

namespace cartwright::comm {

namespace {

constexpr std::size_t turns = 2;

}  // namespace

std::unique_ptr<DirectMemory> DirectMemory::make(const CartComm& cart, std::size_t described) {
  const std::shared_ptr<NodeMemory>& memory = cart.all().context().memory;
  if (memory == nullptr || !memory->usable() || cart.size() == 1) return nullptr;
  const std::size_t bytes = turns * (sizeof(DirectPlace) + in_lines(described)) +
                            static_cast<std::size_t>(memory->members()) * sizeof(DirectWay<>);
  std::optional<LeasedMemory> leased = memory->lease_memory(cart.communicator(), bytes);
  if (!leased) return nullptr;
  return std::unique_ptr<DirectMemory>(new DirectMemory(cart, *std::move(leased), described));
}

DirectMemory::DirectMemory(const CartComm& cart, LeasedMemory leased, std::size_t described)
    : cart_(&cart), leased_(std::move(leased)), described_(described) {}

bool DirectMemory::reaches(int rank) const {
  return leased_.member_of[static_cast<std::size_t>(rank)] >= 0 &&
         !cart_->is_off_node(rt::Rank{rank});
}

std::byte* DirectMemory::part(int rank) const {
  return leased_.lease.part(leased_.member_of[static_cast<std::size_t>(rank)]).data();
}

DirectPlace& DirectMemory::place(int rank, std::uint64_t exchange) const {
  return *reinterpret_cast<DirectPlace*>(part(rank) + exchange % turns * place_bytes());
}

std::span<std::byte> DirectMemory::description(int rank, std::uint64_t exchange) const {
  auto* const begin = reinterpret_cast<std::byte*>(&place(rank, exchange) + 1);
  return {begin, described_};
}

DirectWay<>& DirectMemory::way(int from, int to) const {
  const auto sender = static_cast<std::size_t>(leased_.member_of[static_cast<std::size_t>(from)]);
  return *reinterpret_cast<DirectWay<>*>(part(to) + turns * place_bytes() +
                                         sender * sizeof(DirectWay<>));
}

}  // namespace cartwright::comm
