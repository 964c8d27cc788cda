// SPDX-License-Identifier: Apache-2.0
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cartwright/rt/agreement.hpp>
#include <cartwright/rt/watcher.hpp>
#include <csignal>
#include <memory>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "random_word.hpp"
#include "signals_blocked.hpp"
#include "watch.hpp"

namespace cartwright::rt {
namespace {

/// What a rank tells all others before the watchers start: plain bytes.
struct Introduction {
  int leader = 0;  ///< the lowest rank that shares memory with it
  ProcessMark process;
  WatchAddress address;
  std::array<std::uint64_t, 2> key{};
  double silence = 0.0;  ///< what its environment says
};

double seconds_of(const std::optional<Watcher::Duration>& limit) {
  return limit ? limit->count() : WatchLimits::none;
}

}  // namespace

struct Watcher::State {
  ~State() {
    if (stop >= 0) ::close(stop);
  }
  WaitRecord record;
  WatchLimits limits;
  WatchLink link;
  WatchSlot alone;  // where nothing can be shared
  std::optional<Lease> lease;
  std::optional<Watch> watch;
  std::thread thread;
  int stop = -1;
};

Watcher::Watcher() = default;

Watcher::~Watcher() {
  if (!state_ || !state_->thread.joinable()) return;
  WaitRecord::publish_to(nullptr);
  const std::uint64_t one = 1;
  (void)!::write(state_->stop, &one, sizeof one);
  state_->thread.join();
  state_->watch->leave();
}

namespace {

/// The nodes in the order of their lowest ranks.
WatchSetup setup_of(const std::vector<Introduction>& all, int me) {
  WatchSetup setup;
  std::vector<int> node_of(all.size());
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    const auto leader = static_cast<std::size_t>(all[rank].leader);
    if (leader == rank) {
      node_of[rank] = static_cast<int>(setup.nodes.size());
      setup.nodes.push_back({.name = all[rank].address.node.data()});
    } else {
      node_of[rank] = node_of[leader];
    }
    WatchedNode& node = setup.nodes[static_cast<std::size_t>(node_of[rank])];
    if (static_cast<int>(rank) == me) {
      setup.node = node_of[rank];
      setup.member = static_cast<int>(node.ranks.size());
    }
    node.ranks.push_back(static_cast<int>(rank));
    node.marks.push_back(all[rank].process);
  }
  return setup;
}

std::vector<WatchAddress> addresses_of(const std::vector<Introduction>& all,
                                       const WatchSetup& setup) {
  std::vector<WatchAddress> addresses;
  for (const WatchedNode& node : setup.nodes)
    addresses.push_back(all[static_cast<std::size_t>(node.ranks.front())].address);
  return addresses;
}

}  // namespace

std::vector<WatchSlot*> Watcher::slots_of(State& state) {
  if (!state.lease) return {&state.alone};
  std::vector<WatchSlot*> slots;
  for (const auto part : state.lease->parts())  // zero, as a slot is that nobody has written to
    slots.push_back(reinterpret_cast<WatchSlot*>(part.data()));
  return slots;
}

void Watcher::start(const Communicator& world, const Arena& arena) {
  state_ = std::make_unique<State>();
  State& state = *state_;
  state.lease = arena.lease(arena.nodes().comm(), sizeof(WatchSlot));
  const NodeGroup& nodes = arena.nodes();
  const int leader = state.lease ? nodes.ranks_of(nodes.number()).front() : world.rank().value;
  Introduction mine{.leader = leader,
                    .process = this_process(),
                    .address = state.link.address(),
                    .silence = WatchLimits::silence_of_environment()};
  if (world.is_root()) mine.key = {random_word(), random_word()};
  const std::vector<Introduction> all = collected(world, mine);
  WatchSetup setup = setup_of(all, world.rank().value);
  setup.slots = slots_of(state);
  state.link.connect(addresses_of(all, setup), setup.node, all.front().key);
  state.limits.silence = all.front().silence;
  state.watch.emplace(std::move(setup), state.link, state.record, state.limits);
  state.stop = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  const SignalsBlocked blocked;
  state.thread = std::thread([&state] { state.watch->run(state.stop); });
  pthread_setname_np(state.thread.native_handle(), "cw_watcher");  // as top and gdb show it
  WaitRecord::publish_to(&state.record);
}

void Watcher::bear_silence(std::optional<Duration> limit) noexcept {
  if (state_) state_->limits.silence = seconds_of(limit);
}

void Watcher::bear_waiting(std::optional<Duration> limit) noexcept {
  if (state_) state_->limits.wait = seconds_of(limit);
}

void Watcher::use_directory(const std::string& path) {
  if (state_) state_->watch->use_directory(path);
}

}  // namespace cartwright::rt
