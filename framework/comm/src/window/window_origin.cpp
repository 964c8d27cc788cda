// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/comm/window/window_core.hpp>
#include <cartwright/rt/error.hpp>
#include <cstring>
#include <utility>

namespace cartwright::comm {

namespace {

constexpr std::size_t in_words(std::size_t bytes) {
  return (bytes + 7) / 8 * 8;
}

bool is_lock(EpochKind kind) {
  return kind == EpochKind::lock || kind == EpochKind::lock_all;
}

EpochClass class_of(EpochKind kind) {
  if (kind == EpochKind::fence) return EpochClass::fence;
  return is_lock(kind) ? EpochClass::lock : EpochClass::access;
}

/// Long messages of an epoch to one rank at a time: MPI looks through all that are under way.
constexpr std::uint32_t most_large = 64;

/// An operation has left that isn't complete here.
void add_pending(Side& side) {
  ++side.pending;
  ++side.epoch->pending;
}

template <class T>
std::uint64_t put_into(std::vector<T>& all, std::vector<std::uint64_t>& free, T value) {
  if (free.empty()) {
    all.push_back(std::move(value));
    return all.size() - 1;
  }
  const std::uint64_t number = free.back();
  free.pop_back();
  all[number] = std::move(value);
  return number;
}

}  // namespace

// --- Turns: what epochs say to one rank is said in their order, whatever is active.

void WindowCore::take_turn(Side& side) {
  peer(side.rank).turns.push(side);
  watch(side.rank);
}

/// All is said: what is missing comes from the other rank.
void WindowCore::await_answer(Side& side) {
  side.stage = Side::Stage::closing;
  if (has_answered(side)) return finish(side);
  const auto answers = static_cast<std::size_t>(class_of(side.epoch->kind));
  peer(side.rank).unanswered[answers].push(side);
  watch(side.rank);
}

void WindowCore::watch(int rank) {
  if (!std::exchange(peer(rank).is_watched, true)) watched_.push_back(rank);
}

void WindowCore::queue(Side& side, const QueuedOperation& operation) {
  QueuedOperation& queued = operation_pool_.take();
  queued = operation;
  (side.first == nullptr ? side.first : side.last->next) = &queued;
  side.last = &queued;
  is_dirty_ = true;
}

// --- A side's life.

/// Of each rank only those whose turn it is, and those that it answers next, can move: however
/// many epochs are under way, there are few of these.
void WindowCore::advance_watched() {
  std::erase_if(watched_, [this](int rank) {
    Peer& other = peer(rank);
    advance(other);
    other.is_watched = other.has_sides();
    if (other.is_watched && other.block) watches_memory_ = true;
    return !other.is_watched;
  });
}

void WindowCore::advance(Peer& other) {
  while (Side* const side = other.turns.first()) {
    drain(*side);
    if (other.turns.first() == side) break;
  }
  for (SideQueue& unanswered : other.unanswered)
    while (Side* const side = unanswered.first()) {
      if (!has_answered(*side)) break;
      unanswered.pop();
      finish(*side);
    }
}

void WindowCore::drain(Side& side) {
  if (peer(side.rank).turns.first() != &side) return;
  const bool has_to_enter = side.first != nullptr || is_lock(side.epoch->kind) || has_pushed(side);
  if (has_to_enter && !may_send(side)) {
    if (!may_push(side)) return;
    side.is_pushed = true;
    ++peer(side.rank).pushes;
  }
  while (side.first != nullptr) {
    QueuedOperation& next = *side.first;
    if (next.flushed != nullptr) {
      if (!has_landed(side)) return;
      start_flush(side, next);
    } else {
      next.issued += send(side, next.operation, next.issued);
      if (next.issued < next.operation.elements()) return;
    }
    side.first = next.next;
    operation_pool_.give_back(next);
  }
  if (side.epoch->is_closed() && has_landed(side)) close_side(side);
}

/// Whose turn it is then, only that rank knows.
void WindowCore::leave_lock(const SharedBlock& block, Lock kind) {
  const TicketLock lock(block.lock());
  lock.leave(kind);
  if (!lease_ || !lock.is_awaited()) return;
  for (const rt::Waker& waker : lease_->wakers()) waker.wake();
}

void WindowCore::close_side(Side& side) {
  Peer& target = peer(side.rank);
  const Epoch& epoch = *side.epoch;
  if (!goes_by_records(side)) {
    DoneLine& done = target.block.done(peer(me_).member);
    if (epoch.kind == EpochKind::access) SharedAccess::store(done.accesses, side.id);
    if (epoch.kind == EpochKind::fence) SharedAccess::store(done.fences, epoch.fence);
    if (is_lock(epoch.kind)) leave_lock(target.block, epoch.lock);
    target.waker.wake();
    if (side.follower != nullptr) let_begin(side.follower->rank, me_, side.follower->id);
  } else {
    constexpr RecordKind kinds[] = {RecordKind::access_done, RecordKind::fence_done,
                                    RecordKind::unlock};
    append(side.rank, {.kind = kinds[static_cast<std::size_t>(class_of(epoch.kind))],
                       .id = side.id,
                       .count = target.operations_sent});
    if (epoch.kind == EpochKind::access) {
      target.accesses_sent = side.id;
      if (std::ranges::find(unconfirmed_, side.rank) == unconfirmed_.end())
        unconfirmed_.push_back(side.rank);
    }
  }
  target.turns.pop();
  await_answer(side);
}

bool WindowCore::has_answered(const Side& side) const {
  const Peer& other = peer(side.rank);
  switch (side.epoch->kind) {
    case EpochKind::access:
      return true;
    case EpochKind::exposure:
      return (other.block ? SharedAccess::load(mine_.done(other.member).accesses)
                          : other.accesses_done) >= side.id;
    case EpochKind::fence:
      return (other.block ? SharedAccess::load(mine_.done(other.member).fences)
                          : other.fences_done) >= side.id;
    case EpochKind::lock:
    case EpochKind::lock_all:
      break;
  }
  return other.block || other.unlocked >= side.id;
}

// --- Operations.

/// Whether operations can leave: into memory, once the target lets them; or as records, at once.
bool WindowCore::may_send(Side& side) {
  Peer& target = peer(side.rank);
  if (target.turns.first() != &side) return false;
  if (!goes_by_records(side)) return side.is_granted || enter_memory(side);
  if (!is_lock(side.epoch->kind) || side.has_asked) return true;
  side.has_asked = true;
  const bool is_of_all = side.epoch->kind == EpochKind::lock_all;
  append(side.rank,
         {.kind = RecordKind::lock_request,
          .detail = is_of_all ? Record::past_queue : static_cast<std::uint8_t>(side.epoch->lock),
          .id = side.id,
          .count = side.follows ? side.id : 0});
  return true;
}

/// What is closed before its target is ready needn't wait for this rank to look again: it goes as
/// records.
bool WindowCore::may_push(const Side& side) const {
  return side.epoch->is_closed() && side.rank != me_ && !is_lock(side.epoch->kind) &&
         space_->may_push();
}

bool WindowCore::enter_memory(Side& side) {
  if (side.follows && peer(side.rank).locks_freed < side.id) return false;
  if (has_pushed(side)) return false;  // what it does must not come before that
  const SharedBlock& block = peer(side.rank).block;
  const Epoch& epoch = *side.epoch;
  if (epoch.kind == EpochKind::lock_all) {
    side.is_granted = TicketLock(block.lock()).enter_past_queue();
  } else if (epoch.kind == EpochKind::lock) {
    const TicketLock lock(block.lock());
    if (!std::exchange(side.has_asked, true)) side.ticket = lock.take();
    side.is_granted = lock.enter(side.ticket, epoch.lock);
  } else if (epoch.kind == EpochKind::fence) {
    side.is_granted = SharedAccess::load(block.owner().fence) >= epoch.fence;
  } else {
    side.is_granted = SharedAccess::load(block.grant(peer(me_).member).exposures) >= side.id;
  }
  return side.is_granted;
}

plan::Count WindowCore::send(Side& side, const RemoteOperation& operation, plan::Count first) {
  const plan::Count all = operation.elements();
  if (!goes_by_records(side)) {
    carry_out_in_memory(side.rank, operation);
    return all;
  }
  const std::size_t bytes = static_cast<std::size_t>(all) * element_size_;
  const bool is_plain = operation.kind == RemoteKind::put || operation.kind == RemoteKind::get;
  const Strides& local = operation.kind == RemoteKind::get ? operation.into : operation.from;
  if (is_plain && bytes > largest_inline && operation.at.count == 1 && local.count == 1) {
    if (mpi_window_ != nullptr) {
      if (is_known_ready(side)) return send_direct(side, operation) ? all : 0;
      if (awaits_lock(side)) return 0;
    }
    return send_large(side, operation) ? all : 0;
  }
  const auto per_part =
      std::max<plan::Count>(1, static_cast<plan::Count>(largest_inline / element_size_));
  plan::Count sent = 0;
  while (first + sent < all) {
    const plan::Count count = std::min(all - first - sent, per_part);
    if (!send_part(side, operation, {first + sent, first + sent, count})) break;
    sent += count;
  }
  return sent;
}

void WindowCore::carry_out_in_memory(int target, const RemoteOperation& operation) {
  const OperationPart whole{0, 0, operation.elements()};
  if (target == me_) return carry_out_here(operation, whole);
  const SharedBlock& block = peer(target).block;
  carry_out(operation, whole, element_size_, block.data(), guard_of(block));
}

bool WindowCore::take_credit(Peer& to, std::size_t bytes) {
  if (to.bytes_sent - to.bytes_credited + bytes > credit) return false;
  to.bytes_sent += bytes;
  ++to.operations_sent;
  return true;
}

std::byte* WindowCore::append(int to, Record record) {
  record.window = number_;
  std::byte* const room = space_->messenger().append(to, record.bytes);
  std::memcpy(room, &record, sizeof record);
  return room;
}

bool WindowCore::send_part(Side& side, const RemoteOperation& operation, OperationPart part) {
  Peer& target = peer(side.rank);
  const std::size_t data = operation.has_source()
                               ? static_cast<std::size_t>(part.count) * element_size_ *
                                     (operation.kind == RemoteKind::compare_and_swap ? 2 : 1)
                               : 0;
  OperationRecord record{
      .record = {.bytes = static_cast<std::uint32_t>(in_words(sizeof(OperationRecord) + data)),
                 .epoch_class = class_of(side.epoch->kind),
                 .id = side.id},
      .kind = operation.kind,
      .update = operation.update,
      .type = static_cast<std::uint8_t>(operation.type),
      .elements = part.count,
      .offset = operation.offset,
      .at = operation.at,
      .first = part.target_first};
  if (!take_credit(target, record.record.bytes)) return false;
  side.has_records = true;
  if (operation.writes_here()) {
    record.number = put_into(awaited_, free_awaited_, Awaited{&side, operation, part});
    add_pending(side);
  }
  std::byte* const room = append(side.rank, record.record);
  std::memcpy(room, &record, sizeof record);
  reinterpret_cast<OperationRecord*>(room)->record.window = number_;
  std::byte* const payload = room + sizeof record;
  if (operation.kind == RemoteKind::compare_and_swap)
    std::memcpy(payload, operation.source_bytes(), data);
  else if (data > 0)
    copy_slice(operation.source_bytes(), operation.from, part.local_first, payload,
               contiguous(part.count), 0, part.count, element_size_);
  return true;
}

bool WindowCore::send_large(Side& side, const RemoteOperation& operation) {
  Peer& target = peer(side.rank);
  if (side.pending >= most_large || !take_credit(target, sizeof(OperationRecord))) return false;
  side.has_records = true;
  const bool is_put = operation.kind == RemoteKind::put;
  const auto bytes = static_cast<std::size_t>(operation.elements()) * element_size_;
  OperationRecord record{.record = {.bytes = sizeof(OperationRecord),
                                    .window = number_,
                                    .epoch_class = class_of(side.epoch->kind),
                                    .id = side.id},
                         .kind = operation.kind,
                         .is_large = 1,
                         .elements = operation.elements(),
                         .offset = operation.offset,
                         .at = operation.at};
  std::memcpy(append(side.rank, record.record), &record, sizeof record);
  add_pending(side);
  if (is_put)
    unsent_.push_back({&side, {operation.source, bytes}});
  else
    transfers_.push_back(
        {.side = &side,
         .message = space_->messenger().receive_large(side.rank, {operation.result, bytes},
                                                      Messenger::Large::reply, lane_)});
  if (!is_put || bytes > largest_unhurried) send_long();
  return true;
}

/// So the target has posted a receive when the data come, and hears of several operations, and of
/// their end, in one message.
void WindowCore::send_long() {
  space_->send();
  for (const Unsent& unsent : unsent_)
    transfers_.push_back({.side = unsent.side,
                          .message = space_->messenger().send_large(
                              unsent.side->rank, unsent.data, Messenger::Large::operand, lane_)});
  unsent_.clear();
}

// --- By MPI's window, without the target: where it is known that nothing must wait there.

bool WindowCore::is_known_ready(const Side& side) const {
  const Peer& target = peer(side.rank);
  switch (class_of(side.epoch->kind)) {
    case EpochClass::access:
      return side.epoch->kind == EpochKind::access && target.exposes >= side.id;
    case EpochClass::fence:
      return target.in_fence >= side.epoch->fence;
    case EpochClass::lock:
      break;
  }
  return target.lock_held == side.id;
}

/// Where it isn't known to be held yet. Whoever holds a lock can do more with it than send one
/// burst; but what is closed goes at once, by records, so that nothing waits for this rank to look
/// again.
bool WindowCore::awaits_lock(Side& side) {
  if (!is_lock(side.epoch->kind) || side.epoch->is_closed()) return false;
  if (!std::exchange(side.asks_for_lock, true))
    append(side.rank,
           {.kind = RecordKind::lock_query, .epoch_class = EpochClass::lock, .id = side.id});
  return true;
}

bool WindowCore::send_direct(Side& side, const RemoteOperation& operation) {
  if (side.pending >= most_large) return false;
  const rt::Rank target{side.rank};
  const std::size_t first = static_cast<std::size_t>(operation.offset) * element_size_;
  const std::size_t bytes = static_cast<std::size_t>(operation.elements()) * element_size_;
  Transfer transfer{.side = &side, .is_direct = true};
  if (operation.kind == RemoteKind::put) {
    transfer.message = mpi_window_->put(target, first, {operation.source, bytes});
    side.has_put = true;
  } else {
    transfer.message = mpi_window_->get(target, first, {operation.result, bytes});
  }
  transfers_.push_back(std::move(transfer));
  ++side.direct;
  add_pending(side);
  return true;
}

/// What went by MPI's window is where it was to go: before that nobody hears of it.
bool WindowCore::has_landed(Side& side) const {
  if (side.direct > 0) return false;
  if (std::exchange(side.has_put, false)) mpi_window_->flush(rt::Rank{side.rank});
  return true;
}

void WindowCore::test_transfers() {
  for (std::size_t i = 0; i < transfers_.size();) {
    if (!transfers_[i].message.test()) {
      ++i;
      continue;
    }
    Side& side = *transfers_[i].side;
    --side.pending;
    --side.epoch->pending;
    if (transfers_[i].is_direct) --side.direct;
    note_if_complete(*side.epoch);
    has_moved_ = true;
    std::swap(transfers_[i], transfers_.back());
    transfers_.pop_back();
  }
  for (std::size_t i = 0; i < served_.size();) {
    if (!served_[i].message.test()) {
      ++i;
      continue;
    }
    if (const std::span<std::byte> device = served_[i].device; !device.empty())
      device_->to_device(device.data(), served_[i].host.get(), device.size());
    --peer(served_[i].origin).transfers;
    has_moved_ = true;
    std::swap(served_[i], served_.back());
    served_.pop_back();
  }
  std::erase_if(late_flushes_, [this](const Flush& flush) {
    if (flush.side->pending > 0) return false;
    complete_flush(flush);
    return true;
  });
}

void WindowCore::start_flush(Side& side, const QueuedOperation& flush) {
  const Flush started{&side, flush.flushed, flush.staged};
  const bool needs_no_target = mpi_window_ != nullptr && is_known_ready(side) && !side.has_records;
  if (peer(side.rank).block || needs_no_target || (flush.is_local && side.pending == 0))
    return complete_flush(started);
  const std::uint64_t number = put_into(flushes_, free_flushes_, started);
  append(side.rank, {.kind = RecordKind::flush,
                     .epoch_class = class_of(side.epoch->kind),
                     .id = side.id,
                     .count = number});
}

void WindowCore::complete_flush(const Flush& flush) {
  if (flush.staged > 0) deliver_staged(*flush.side->epoch, flush.side->rank, flush.staged);
  space_->complete_part(*flush.request);
}

void WindowCore::receive_answer(int from, const Record& record, std::span<const std::byte> bytes) {
  Peer& target = peer(from);
  is_dirty_ = true;
  if (record.kind == RecordKind::credit) {
    target.bytes_credited = record.count;
  } else if (record.kind == RecordKind::may_begin) {
    std::uint64_t& freed = peer(static_cast<int>(record.count)).locks_freed;
    freed = std::max(freed, record.id);
  } else if (record.kind == RecordKind::access_known) {
    target.accesses_known = record.id;
  } else if (record.kind == RecordKind::exposed) {
    target.exposes = record.id;
  } else if (record.kind == RecordKind::in_fence) {
    target.in_fence = record.id;
  } else if (record.kind == RecordKind::lock_held) {
    target.lock_held = record.id;
  } else if (record.kind == RecordKind::unlock_done) {
    target.unlocked = record.id;
  } else if (record.kind == RecordKind::flush_done) {
    const Flush flush = flushes_[record.count];
    free_flushes_.push_back(record.count);
    if (flush.side->pending > 0)
      late_flushes_.push_back(flush);
    else
      complete_flush(flush);
  } else {
    const Awaited& awaited = awaited_[record.id];
    const auto& [target_first, local_first, count] = awaited.part;
    copy_slice(bytes.data() + sizeof(Record), contiguous(count), 0, awaited.operation.result,
               awaited.operation.into, local_first, count, element_size_);
    --awaited.side->pending;
    --awaited.side->epoch->pending;
    note_if_complete(*awaited.side->epoch);
    free_awaited_.push_back(record.id);
  }
}

}  // namespace cartwright::comm
