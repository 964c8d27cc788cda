// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/comm/window/window_core.hpp>
#include <cartwright/rt/error.hpp>
#include <utility>

namespace cartwright::comm {

namespace {

/// Beyond, a target's side is found by its rank at once.
constexpr std::size_t searched_sides = 8;

bool covers_all(EpochKind kind) {
  return kind == EpochKind::fence || kind == EpochKind::lock_all;
}

}  // namespace

/// At most one access epoch and one exposure are open at a time; locks of different ranks may be; a
/// fence and a lock of all are alone.
void WindowCore::require_openable(EpochKind kind, std::span<const int> group) const {
  const auto refuse = [&](const Epoch& open) {
    throw rt::internal_failure(fmt::format("{}: an epoch is opened while another one is open: {}",
                                           options_.name, describe(open)),
                               "Close that first: closing never waits.");
  };
  for (const Epoch* const epoch : epochs_) {
    if (epoch->is_closed()) continue;
    const bool one_exposes = (kind == EpochKind::exposure) != (epoch->kind == EpochKind::exposure);
    if (covers_all(kind) || covers_all(epoch->kind)) refuse(*epoch);
    if (one_exposes) continue;
    const bool are_locks = kind == EpochKind::lock && epoch->kind == EpochKind::lock;
    if (!are_locks || epoch->sides.front().rank == group.front()) refuse(*epoch);
  }
  for (const int rank : group)
    if (rank < 0 || rank >= static_cast<int>(peers_.size()))
      throw rt::internal_failure(
          fmt::format("{}: an epoch with rank {} of {}", options_.name, rank, peers_.size()));
  if (group.size() < 2) return;
  std::vector<bool> is_named(peers_.size());
  for (const int rank : group) {
    if (is_named[static_cast<std::size_t>(rank)])
      throw rt::internal_failure(
          fmt::format("{}: an epoch whose group has rank {} twice", options_.name, rank));
    is_named[static_cast<std::size_t>(rank)] = true;
  }
}

std::uint64_t WindowCore::next_id(EpochKind kind, int rank) {
  Peer& other = peer(rank);
  switch (kind) {
    case EpochKind::access:
      return ++other.accesses;
    case EpochKind::exposure:
      return ++other.exposures;
    case EpochKind::fence:
      return fences_;
    case EpochKind::lock:
    case EpochKind::lock_all:
      break;
  }
  return ++other.locks;
}

Side& WindowCore::add_side(Epoch& epoch, int rank) {
  Side& side = epoch.sides.emplace_back();
  side.epoch = &epoch;
  side.rank = rank;
  side.id = next_id(epoch.kind, rank);
  ++epoch.unfinished;
  if (!epoch.side_of.empty())
    epoch.side_of[static_cast<std::size_t>(rank)] = static_cast<int>(epoch.sides.size()) - 1;
  return side;
}

Epoch& WindowCore::open(EpochKind kind, std::span<const int> group, Lock lock, CallSite site) {
  const WindowSpace::Guard guard(*space_);
  if (is_freed_) throw rt::internal_failure(options_.name + " was freed, and an epoch is opened");
  require_openable(kind, group);
  Epoch& epoch = epoch_pool_.take();
  epoch.kind = kind;
  epoch.lock = lock;
  epoch.number = ++epochs_opened_;
  epoch.opened_at = ++events_;
  epoch.site = site;
  if (kind == EpochKind::fence) epoch.fence = ++fences_;
  const std::span<const int> ranks = covers_all(kind) ? std::span<const int>(everybody_) : group;
  epoch.sides.reserve(ranks.size());
  if (ranks.size() > searched_sides) epoch.side_of.assign(peers_.size(), -1);
  if (kind != EpochKind::lock_all)  // locks a rank when something is done there
    for (const int rank : ranks) add_side(epoch, rank);
  epochs_.push_back(&epoch);
  if (enters_at_once(epoch)) return epoch;
  if (active_ + 1 == epochs_.size()) activate_ready();
  space_->keep_busy(*this);
  space_->drive();
  return epoch;
}

/// A lock in shared memory that nobody else holds or waits for, behind nothing: what most are. Such
/// an epoch does without the engine.
bool WindowCore::enters_at_once(Epoch& epoch) {
  if (epoch.kind != EpochKind::lock || epochs_.size() > 1 || !unconfirmed_.empty()) return false;
  Side& side = epoch.sides.front();
  const SharedBlock& block = peer(side.rank).block;
  if (!block || has_pushed(side) || !TicketLock(block.lock()).try_enter(epoch.lock)) return false;
  side.has_asked = side.is_granted = epoch.is_active = true;
  active_ = 1;
  take_turn(side);
  return true;
}

bool WindowCore::leaves_at_once(Epoch& epoch) {
  if (epoch.kind != EpochKind::lock || epochs_.size() > 1) return false;
  Side& side = epoch.sides.front();
  if (!side.is_granted || side.first != nullptr) return false;
  close_side(side);
  finish(side);
  finish(epoch);
  return true;
}

/// In the order in which they were opened, none before another one.
void WindowCore::activate_ready() {
  for (; active_ < epochs_.size() && may_activate(*epochs_[active_]); ++active_)
    activate(*epochs_[active_]);
}

bool WindowCore::may_activate(Epoch& epoch) {
  bool is_locked = false;
  if (epoch.kind == EpochKind::exposure && active_ > 0)
    is_locked = !TicketLock(mine_.lock()).is_free();
  const bool joins = std::all_of(
      epochs_.begin(), epochs_.begin() + static_cast<std::ptrdiff_t>(active_),
      [&](const Epoch* active) { return may_join(epoch, *active, options_.reorder, is_locked); });
  if (!joins && !follows_by_itself(epoch)) return false;
  const bool is_lock = epoch.kind == EpochKind::lock || epoch.kind == EpochKind::lock_all;
  if (is_lock && !unconfirmed_.empty() && !accesses_are_done(epoch)) return false;
  if (!joins) let_follow(epoch);
  return true;
}

/// Where all that is active are locks by records whose every record has left, and which follow each
/// other, another such lock needn't wait here until they are over: the last one's target tells its
/// target. So what a rank does to one rank after the other takes one message for each, not two, and
/// doesn't wait for it to look again; the order is the same. Locks that were open together have no
/// order: behind them one waits here.
bool WindowCore::follows_by_itself(const Epoch& lock) const {
  if (lock.kind != EpochKind::lock || peer(lock.sides.front().rank).block) return false;
  int before = -1;
  for (std::size_t i = 0; i < active_; ++i) {
    if (epochs_[i]->kind != EpochKind::lock) return false;
    const Side& side = epochs_[i]->sides.front();
    if (side.stage == Side::Stage::open || peer(side.rank).block) return false;
    if (i > 0 && !side.follows && side.rank != before) return false;
    before = side.rank;
  }
  return true;
}

void WindowCore::let_follow(Epoch& lock) {
  Side& side = lock.sides.front();
  const int before = epochs_[active_ - 1]->sides.front().rank;
  if (before == side.rank) return;  // what is said there is met in order
  side.follows = true;
  append(
      before,
      {.kind = RecordKind::pass_on, .id = side.id, .count = static_cast<std::uint64_t>(side.rank)});
}

/// An access epoch is complete here when it has been pushed, perhaps long before its target is
/// ready. Who takes a lock then would hold it while the target may wait for just that before it
/// exposes its memory; where closing waits, nobody would. So locks wait for what was pushed.
bool WindowCore::accesses_are_done(const Epoch& lock) {
  std::erase_if(unconfirmed_, [this](int rank) { return accesses_are_done(rank); });
  if (lock.kind == EpochKind::lock && options_.reorder.access_after_access)
    return std::ranges::find(unconfirmed_, lock.sides.front().rank) == unconfirmed_.end();
  return unconfirmed_.empty();
}

bool WindowCore::accesses_are_done(int rank) {
  Peer& target = peer(rank);
  if (target.block) {
    watches_memory_ = true;
    return SharedAccess::load(target.block.grant(peer(me_).member).pushes) >= target.pushes;
  }
  if (target.accesses_known >= target.accesses_sent) return true;
  if (target.accesses_asked < target.accesses_sent) {
    target.accesses_asked = target.accesses_sent;
    append(rank, {.kind = RecordKind::access_query, .id = target.accesses_sent});
  }
  return false;
}

void WindowCore::activate(Epoch& epoch) {
  epoch.is_active = true;
  has_moved_ = is_dirty_ = true;
  if (epoch.kind == EpochKind::exposure) {
    for (const Side& side : epoch.sides) {
      Peer& origin = peer(side.rank);
      origin.exposed = side.id;
      if (origin.block) SharedAccess::store(mine_.grant(origin.member).exposures, side.id);
    }
    watches_memory_ = true;
    return;
  }
  if (epoch.kind == EpochKind::fence) {
    fences_active_ = epoch.fence;
    SharedAccess::store(mine_.owner().fence, epoch.fence);
  }
  for (Side& side : epoch.sides) take_turn(side);
  watches_memory_ = true;
}

Side& WindowCore::side_for(Epoch& epoch, int rank) {
  if (rank >= 0 && rank < static_cast<int>(peers_.size())) {
    if (!epoch.side_of.empty()) {
      const int found = epoch.side_of[static_cast<std::size_t>(rank)];
      if (found >= 0) return epoch.sides[static_cast<std::size_t>(found)];
    } else {
      const auto found = std::ranges::find(epoch.sides, rank, &Side::rank);
      if (found != epoch.sides.end()) return *found;
    }
    if (epoch.kind == EpochKind::lock_all) {
      Side& side = add_side(epoch, rank);
      if (epoch.is_active) take_turn(side);
      return side;
    }
  }
  throw rt::internal_failure(fmt::format("{}: an operation on rank {}, which isn't a target of {}",
                                         options_.name, rank, describe(epoch)));
}

void WindowCore::require_inside(int target, const RemoteOperation& operation) const {
  const plan::Count end = operation.offset + operation.at.extent();
  const plan::Count all = peer(target).elements;
  if (operation.offset >= 0 && end <= all) return;
  throw rt::internal_failure(
      fmt::format("{}: an operation on elements {} to {} of rank {}, which has {}", options_.name,
                  operation.offset, end - 1, target, all));
}

void WindowCore::issue(Epoch& epoch, int target, const RemoteOperation& operation) {
  const WindowSpace::Guard guard(*space_);
  Side& side = side_for(epoch, target);
  require_inside(target, operation);
  const plan::Count elements = operation.elements();
  if (elements == 0) return;
  if (side.is_granted && side.first == nullptr) {  // in shared memory, and it's this epoch's turn
    const SharedBlock& block = peer(target).block;
    carry_out(operation, {0, 0, elements}, element_size_, target == me_ ? memory_ : block.data(),
              block.guard().word);
    return;
  }
  plan::Count issued = 0;
  if (side.first == nullptr && epoch.is_active && may_send(side)) {
    issued = send(side, operation, 0);
    if (issued == elements) return;
  }
  queue(side, {.operation = operation, .issued = issued});
}

RequestState& WindowCore::flush(Epoch& epoch, std::optional<int> target, bool local,
                                CallSite site) {
  const WindowSpace::Guard guard(*space_);
  RequestState& request = space_->new_request(*this, &epoch, "the flush of an epoch", site);
  const auto ask = [&](Side& side) {
    ++request.left;
    queue(side, {.flushed = &request, .is_local = local});
    if (epoch.is_active) drain(side);
  };
  if (target)
    ask(side_for(epoch, *target));
  else
    for (Side& side : epoch.sides) ask(side);
  space_->complete_part(request);
  space_->send();
  return request;
}

RequestState* WindowCore::close(Epoch& epoch, const char* what, CallSite site) {
  if (RequestState* const request = close_guarded(epoch, what, site)) return request;
  // Who does nothing else, and waits for what others write, serves them all the same.
  constexpr std::uint64_t closings_of_poll = 32;
  if (++closed_at_once_ % closings_of_poll == 0) space_->engine().poll();
  return nullptr;
}

RequestState* WindowCore::close_guarded(Epoch& epoch, const char* what, CallSite site) {
  const WindowSpace::Guard guard(*space_);
  if (leaves_at_once(epoch)) return nullptr;
  space_->keep_busy(*this);
  space_->drive();
  epoch.closed_at = ++events_;
  RequestState& request = space_->new_request(*this, &epoch, what, site);
  epoch.request = &request;
  is_dirty_ = true;
  progress();
  space_->send();
  return &request;
}

void WindowCore::progress() {
  if (!is_dirty_ && !watches_memory_ && transfers_.empty() && served_.empty() &&
      lock_waiters_.empty())
    return;
  do {
    has_moved_ = false;
    is_dirty_ = false;
    test_transfers();
    serve_locks();
    retry_held();
    watches_memory_ = false;
    for (std::size_t i = 0; i < active_;) {
      Epoch& epoch = *epochs_[i];
      for (Side& side : epoch.sides)
        if (side.stage != Side::Stage::finished) advance(side);
      if (epoch.is_complete())
        finish(epoch);
      else
        ++i;
    }
    activate_ready();
  } while (has_moved_);
}

void WindowCore::finish(Side& side) {
  side.stage = Side::Stage::finished;
  --side.epoch->unfinished;
}

void WindowCore::finish(Epoch& epoch) {
  epochs_.erase(std::ranges::find(epochs_, &epoch));
  --active_;
  has_moved_ = true;
  if (epoch.request != nullptr) space_->complete_part(*epoch.request);
  epoch.is_active = false;
  epoch.closed_at = Epoch::never;
  epoch.request = nullptr;
  epoch.sides.clear();
  epoch.side_of.clear();
  epoch_pool_.give_back(epoch);
}

}  // namespace cartwright::comm
