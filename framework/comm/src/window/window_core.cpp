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
  for (const Epoch* const epoch : open_) {
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
  epochs_.append(epoch);
  open_.push_back(&epoch);
  if (enters_at_once(epoch)) return epoch;
  if (epochs_.first_waiting() == &epoch) activate_ready();
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
  side.has_asked = side.is_granted = true;
  begin(epoch);
  take_turn(side);
  return true;
}

bool WindowCore::leaves_at_once(Epoch& epoch) {
  if (epoch.kind != EpochKind::lock || epochs_.size() > 1) return false;
  Side& side = epoch.sides.front();
  if (!side.is_granted || side.first != nullptr) return false;
  std::erase(open_, &epoch);
  close_side(side);
  finish(epoch);
  return true;
}

/// In the order in which they were opened, none before another one.
void WindowCore::activate_ready() {
  while (Epoch* const next = epochs_.first_waiting()) {
    if (!may_activate(*next)) return;
    activate(*next);
  }
}

bool WindowCore::may_activate(Epoch& epoch) {
  const bool joins = joins_active(epoch);
  if (!joins && !follows_by_itself(epoch)) return false;
  const bool is_lock = epoch.kind == EpochKind::lock || epoch.kind == EpochKind::lock_all;
  if (is_lock && !unconfirmed_.empty() && !accesses_are_done(epoch)) return false;
  if (!joins) let_follow(epoch);
  return true;
}

/// The last ones first: they are most often in the way.
bool WindowCore::joins_active(const Epoch& epoch) const {
  if (epochs_.active() == 0) return true;
  const bool is_lock = epoch.kind == EpochKind::lock;
  // With leave to overtake, locks aren't in the way of locks, however many there are.
  if (is_lock && options_.reorder.access_after_access && active_locks_ == epochs_.active())
    return true;
  const bool is_locked = epoch.kind == EpochKind::exposure && !TicketLock(mine_.lock()).is_free();
  for (const Epoch* active = epochs_.last_active(); active != nullptr; active = active->before) {
    if (!may_join(epoch, *active, options_.reorder, is_locked)) return false;
    // Behind that one in its turn, and so behind all before it.
    if (is_lock && ends_chain(*active) && active->sides.front().rank == epoch.sides.front().rank)
      return true;
  }
  return true;
}

/// All that is active up to this one are locks that follow each other.
bool WindowCore::ends_chain(const Epoch& active) const {
  return active.kind == EpochKind::lock && (active.is_chained || active.before == nullptr) &&
         is_told_to_begin(active.sides.front().rank);
}

/// Where all that is active are locks that need this rank no more, and which follow each other,
/// another such lock needn't wait here until they are over: the last one's target tells its target.
/// So what a rank does to one rank after the other takes one message for each, not two, and doesn't
/// wait for it to look again; the order is the same. Locks that were open together have no order:
/// behind them one waits here.
bool WindowCore::follows_by_itself(const Epoch& lock) const {
  const Epoch& last = *epochs_.last_active();
  if (lock.kind != EpochKind::lock || !is_told_to_begin(lock.sides.front().rank)) return false;
  if (!ends_chain(last) || !last.is_closed()) return false;
  // Its own lock a rank ends itself, and tells who follows; others have been told all.
  const Side& side = last.sides.front();
  return (side.stage == Side::Stage::open) == (side.rank == me_);
}

void WindowCore::let_follow(Epoch& lock) {
  Side& side = lock.sides.front();
  Side& before = epochs_.last_active()->sides.front();
  if (before.rank == side.rank) return;  // what is said there is met in order
  side.follows = true;
  if (before.rank == me_)
    before.follower = &side;
  else
    append(before.rank, {.kind = RecordKind::pass_on,
                         .id = side.id,
                         .count = static_cast<std::uint64_t>(side.rank)});
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

void WindowCore::begin(Epoch& epoch) {
  epoch.is_active = true;
  if (epoch.kind == EpochKind::lock) {
    const Epoch* const last = epochs_.last_active();
    const Side& side = epoch.sides.front();
    epoch.is_chained = side.follows || (last != nullptr && ends_chain(*last) &&
                                        last->sides.front().rank == side.rank);
    ++active_locks_;
  }
  epochs_.step();
}

/// Who knows can reach this rank's memory by MPI's window.
void WindowCore::tell_of_fence(const Epoch& epoch) {
  for (const Side& side : epoch.sides)
    if (!peer(side.rank).block)
      append(side.rank, {.kind = RecordKind::in_fence, .id = epoch.fence});
}

void WindowCore::activate(Epoch& epoch) {
  begin(epoch);
  has_moved_ = is_dirty_ = watches_memory_ = true;
  if (epoch.kind == EpochKind::exposure) {
    for (Side& side : epoch.sides) {
      Peer& origin = peer(side.rank);
      origin.exposed = side.id;
      if (origin.block) {
        SharedAccess::store(mine_.grant(origin.member).exposures, side.id);
        origin.waker.wake();
      } else if (mpi_window_ != nullptr) {
        append(side.rank, {.kind = RecordKind::exposed, .id = side.id});
      }
      await_answer(side);
    }
  } else {
    if (epoch.kind == EpochKind::fence) {
      fences_active_ = epoch.fence;
      SharedAccess::store(mine_.owner().fence, epoch.fence);
      for (const Side& side : epoch.sides) peer(side.rank).waker.wake();
      if (mpi_window_ != nullptr) tell_of_fence(epoch);
    }
    for (Side& side : epoch.sides) take_turn(side);
  }
  // With sides, the last one that is finished says so; which may have been above.
  if (epoch.sides.empty()) note_if_complete(epoch);
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
  if (operation.elements() == 0) return;
  if (operation.is_on_device()) [[unlikely]]
    return issue_on_host(side, staged(epoch, target, operation));
  issue_on_host(side, operation);
}

void WindowCore::issue_on_host(Side& side, const RemoteOperation& operation) {
  // In shared memory, and it's this epoch's turn.
  if (side.is_granted && side.first == nullptr) return carry_out_in_memory(side.rank, operation);
  plan::Count issued = 0;
  if (side.first == nullptr && side.epoch->is_active && may_send(side)) {
    issued = send(side, operation, 0);
    if (issued == operation.elements()) return;
  }
  queue(side, {.operation = operation, .issued = issued});
}

RequestState& WindowCore::flush(Epoch& epoch, std::optional<int> target, bool local,
                                CallSite site) {
  const WindowSpace::Guard guard(*space_);
  RequestState& request = space_->new_request(*this, &epoch, "the flush of an epoch", site);
  const auto ask = [&](Side& side) {
    ++request.left;
    queue(side, {.flushed = &request, .staged = epoch.operands_staged, .is_local = local});
    if (epoch.is_active) drain(side);
  };
  if (target)
    ask(side_for(epoch, *target));
  else
    for (Side& side : epoch.sides) ask(side);
  space_->complete_part(request);
  send_long();
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
  std::erase(open_, &epoch);
  RequestState& request = space_->new_request(*this, &epoch, what, site);
  epoch.request = &request;
  is_dirty_ = true;
  note_if_complete(epoch);
  progress();
  send_long();
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
    advance_watched();
    finish_complete();
    activate_ready();
  } while (has_moved_);
}

void WindowCore::note_if_complete(Epoch& epoch) {
  if (epoch.is_complete()) complete_.push_back(&epoch);
}

void WindowCore::finish_complete() {
  for (Epoch* const epoch : complete_) finish(*epoch);
  complete_.clear();
}

void WindowCore::finish(Side& side) {
  side.stage = Side::Stage::finished;
  --side.epoch->unfinished;
  note_if_complete(*side.epoch);
}

void WindowCore::finish(Epoch& epoch) {
  epochs_.remove_active(epoch);
  if (epoch.kind == EpochKind::lock) --active_locks_;
  has_moved_ = true;
  if (!epoch.staged.empty()) deliver_staged(epoch);
  if (epoch.request != nullptr) space_->complete_part(*epoch.request);
  epoch.is_active = epoch.is_chained = false;
  epoch.closed_at = Epoch::never;
  epoch.request = nullptr;
  epoch.sides.clear();
  epoch.side_of.clear();
  epoch_pool_.give_back(epoch);
}

}  // namespace cartwright::comm
