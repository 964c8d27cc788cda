// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/comm/backends/node_memory.hpp>
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/comm/window/window_core.hpp>
#include <cartwright/rt/agreement.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/mpi_check.hpp>
#include <cstring>
#include <numeric>
#include <string_view>
#include <typeinfo>
#include <utility>

#include "../backends/call_hash.hpp"

namespace cartwright::comm {

namespace {

/// What a rank tells the others of its part of a window.
struct Introduction {
  plan::Count elements = 0;
  std::size_t element_size = 0;
  std::uint64_t element = 0;  ///< of its type's name
  LaneSet lanes;              ///< that no window of it uses
  bool wants_mpi_window = false;
};

std::optional<std::chrono::duration<double>> limit_of(const CartComm& cart,
                                                      const WindowOptions& options) {
  return options.time_limit ? options.time_limit : cart.all().context().settings.time_limit;
}

/// The same in all processes, whoever has built them.
std::uint64_t hash_of_name(const std::type_info& type) {
  CallHash hash;
  for (const char letter : std::string_view(type.name()))
    hash.add(static_cast<unsigned char>(letter));
  return hash.value();
}

}  // namespace

WindowCore::WindowCore(const CartComm& cart, WindowMemory memory, plan::Count elements,
                       const std::type_info& element, std::size_t element_size,
                       WindowOptions options)
    : cart_(&cart),
      space_(cart.windows()),
      options_(std::move(options)),
      element_size_(element_size),
      me_(cart.rank().value),
      memory_(memory.first),
      device_(memory.device),
      peers_(static_cast<std::size_t>(cart.size())),
      everybody_(static_cast<std::size_t>(cart.size())) {
  if (elements < 0)
    throw rt::internal_failure(fmt::format("{}: {} elements", options_.name, elements),
                               "A rank without any has 0.");
  options_.time_limit = limit_of(cart, options_);
  std::iota(everybody_.begin(), everybody_.end(), 0);
  // Until all are here, others may need what this rank does for their epochs and collectives; what
  // blocks comes after it.
  cart.start_barrier().wait();
  space_->connect(cart);
  make_memory(cart, elements, memory.first == nullptr);
  learn_peers(cart, elements, element);
  const WindowSpace::Guard guard(*space_);
  number_ = space_->add(*this, has_message_peers_);
  if (options_.thread) space_->start_thread(has_message_peers_);
}

/// Words of the protocol lie before the data, where ranks of the node share them; else only this
/// rank uses its own.
void WindowCore::make_memory(const CartComm& cart, plan::Count elements, bool is_own) {
  const std::size_t data = is_own ? static_cast<std::size_t>(elements) * element_size_ : 0;
  const std::shared_ptr<NodeMemory>& node = cart.all().context().memory;
  if (is_own && node != nullptr && node->usable() && cart.size() > 1)
    share_memory(cart, *node, data);
  if (!mine_) {
    const std::size_t bytes = SharedBlock::bytes(1, data);
    own_memory_ = rt::aligned_memory(bytes);
    std::memset(own_memory_.get(), 0, bytes);
    mine_ = peer(me_).block = SharedBlock(own_memory_.get(), 1);
  }
  if (is_own) memory_ = mine_.data();
}

/// Where a node has no room, its ranks go on without.
void WindowCore::share_memory(const CartComm& cart, const NodeMemory& node, std::size_t data) {
  const int members = node.members();
  auto leased = node.lease_memory(cart.communicator(), SharedBlock::bytes(members, data));
  if (!leased) return;
  lease_ = std::move(leased->lease);
  for (int rank = 0; rank < cart.size(); ++rank) {
    const int member = leased->member_of[static_cast<std::size_t>(rank)];
    if (member < 0 || (rank != me_ && cart.is_off_node(rt::Rank{rank}))) continue;
    peer(rank).member = member;
    peer(rank).waker = lease_->wakers()[static_cast<std::size_t>(member)];
    peer(rank).block = SharedBlock(lease_->part(member).data(), members);
  }
  mine_ = peer(me_).block;
}

void WindowCore::learn_peers(const CartComm& cart, plan::Count elements,
                             const std::type_info& element) {
  has_message_peers_ = std::ranges::any_of(peers_, [](const Peer& other) { return !other.block; });
  const Introduction mine{elements, element_size_, hash_of_name(element), space_->free_lanes(),
                          options_.mpi_window && device_ == nullptr && has_message_peers_};
  const auto all = rt::collected(cart.communicator(), mine);
  LaneSet lanes = mine.lanes;
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    peers_[rank].elements = all[rank].elements;
    lanes &= all[rank].lanes;
    constexpr const char* advice = "All ranks make a window of the same type.";
    if (all[rank].element_size != mine.element_size)
      throw rt::internal_failure(
          fmt::format("{}: elements have {} bytes on rank {}, and {} on rank {}", options_.name,
                      all[rank].element_size, rank, mine.element_size, me_),
          advice, rt::Reach::all_ranks);
    if (all[rank].element != mine.element)
      throw rt::internal_failure(
          fmt::format("{}: elements are of one type on rank {}, and of another on rank {}",
                      options_.name, rank, me_),
          advice, rt::Reach::all_ranks);
  }
  lane_ = space_->take_lane(lanes);
  if (std::ranges::all_of(all, &Introduction::wants_mpi_window)) make_mpi_window(cart);
}

void WindowCore::make_mpi_window(const CartComm& cart) {
  if (!space_->mpi_windows_need_no_target(cart)) return;
  const auto bytes = static_cast<std::size_t>(peer(me_).elements) * element_size_;
  mpi_window_ = MpiWindow::make(cart.communicator(), {memory_, bytes});
}

std::byte* WindowCore::direct(int rank) const {
  if (rank == me_) return device_ == nullptr ? memory_ : nullptr;
  return peer(rank).block ? peer(rank).block.data() : nullptr;
}

void WindowCore::free() {
  if (is_freed_) return;
  if (!rt::mpi_is_running())
    throw rt::internal_failure(
        fmt::format("{}: MPI was finalised before the window was freed", options_.name),
        "Call free(), or let its scope end, before MPI_Finalize; a static window never can.");
  is_freed_ = true;
  if (options_.thread) space_->stop_thread();
  std::optional<WindowSpace::Guard> guard(*space_);
  const std::string pending = list_of_epochs();
  const bool is_pushed = std::ranges::any_of(
      peers_, [](const Peer& other) { return other.held_begin < other.held.size(); });
  if (pending.empty() && !is_pushed) {
    guard.reset();
    cart_->start_barrier().wait();  // others may still need this rank
    if (mpi_window_ != nullptr) mpi_window_->free();
    guard.emplace(*space_);
    space_->remove(*this, has_message_peers_);
    space_->give_back_lane(lane_);
    return;
  }
  space_->remove(*this, has_message_peers_);
  if (pending.empty())
    throw rt::internal_failure(
        fmt::format("{} is freed, and other ranks have sent operations of epochs that were never "
                    "opened here",
                    options_.name),
        "Each start of an origin needs a post of its target.");
  throw rt::internal_failure(
      fmt::format("{} is freed, and {} of its epochs {} not complete:{}", options_.name,
                  epochs_.size(), epochs_.size() == 1 ? "is" : "are", pending),
      "Wait for their requests first.");
}

WindowCore::~WindowCore() {
  if (!is_freed_) {
    if (options_.thread) space_->stop_thread();
    space_->remove(*this, has_message_peers_);
  }
  space_->end_requests(*this);
  for (Transfer& transfer : transfers_) transfer.message.abandon();
  for (Served& served : served_) served.message.abandon();
}

}  // namespace cartwright::comm
