// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/comm/window/window_core.hpp>
#include <cartwright/rt/error.hpp>
#include <cstring>
#include <utility>

namespace cartwright::comm {

void WindowCore::receive(int from, const Record& record, std::span<const std::byte> bytes) {
  space_->keep_busy(*this);
  if (is_answer(record.kind)) return receive_answer(from, record, bytes);
  Peer& origin = peer(from);
  if (origin.held_begin == origin.held.size()) {
    if (process(from, record, bytes)) return;
    held_peers_.push_back(from);
  }
  origin.held.insert(origin.held.end(), bytes.begin(), bytes.end());
}

void WindowCore::retry_held() {
  for (std::size_t i = 0; i < held_peers_.size();) {
    const int from = held_peers_[i];
    Peer& origin = peer(from);
    while (origin.held_begin < origin.held.size()) {
      const std::byte* const next = origin.held.data() + origin.held_begin;
      Record record;
      std::memcpy(&record, next, sizeof record);
      if (!process(from, record, {next, record.bytes})) break;
      origin.held_begin += record.bytes;
      has_moved_ = true;
    }
    if (origin.held_begin < origin.held.size()) {
      ++i;
      continue;
    }
    origin.held.clear();
    origin.held_begin = 0;
    held_peers_[i] = held_peers_.back();
    held_peers_.pop_back();
  }
}

bool WindowCore::is_ready_for(const Peer& from, const Record& record) const {
  switch (record.epoch_class) {
    case EpochClass::access:
      return from.exposed >= record.id;
    case EpochClass::fence:
      return fences_active_ >= record.id;
    case EpochClass::lock:
      break;
  }
  return from.lock_stage == Peer::Hold::held && from.lock_id == record.id;
}

bool WindowCore::process(int from, const Record& record, std::span<const std::byte> bytes) {
  Peer& origin = peer(from);
  if (record.kind == RecordKind::operation) {
    if (!is_ready_for(origin, record)) return false;
    apply(from, record, bytes);
    return true;
  }
  // What says that all is done waits for what moves by itself.
  if (record.kind != RecordKind::lock_request && origin.transfers > 0) return false;
  is_dirty_ = true;
  switch (record.kind) {
    case RecordKind::access_done:
    case RecordKind::fence_done:
      require_all_done(from, record);
      note_done(from, record);
      return true;
    case RecordKind::access_query:
      append(from, {.kind = RecordKind::access_known, .id = record.id});
      return true;
    case RecordKind::lock_query:
      if (!is_ready_for(origin, record)) return false;
      append(from, {.kind = RecordKind::lock_held, .id = record.id});
      return true;
    case RecordKind::pass_on:
      let_begin(static_cast<int>(record.count), from, record.id);
      return true;
    case RecordKind::lock_request:
      if (record.count > origin.locks_freed) return false;
      origin.lock_stage = Peer::Hold::waiting;
      origin.lock_id = record.id;
      origin.goes_past_queue = record.detail == Record::past_queue;
      origin.lock = origin.goes_past_queue ? Lock::shared : static_cast<Lock>(record.detail);
      if (!origin.goes_past_queue) origin.ticket = TicketLock(mine_.lock()).take();
      lock_waiters_.push_back(from);
      serve_locks();
      return true;
    case RecordKind::unlock:
      if (origin.lock_stage != Peer::Hold::held) return false;
      require_all_done(from, record);
      origin.lock_stage = Peer::Hold::none;
      leave_lock(mine_, origin.lock);
      append(from, {.kind = RecordKind::unlock_done, .id = record.id});
      serve_locks();
      return true;
    default:
      break;
  }
  if (!is_ready_for(origin, record)) return false;
  append(from, {.kind = RecordKind::flush_done, .count = record.count});
  return true;
}

/// Tells a rank that another one's lock there is behind nothing any more.
void WindowCore::let_begin(int rank, int origin, std::uint64_t id) {
  append(rank,
         {.kind = RecordKind::may_begin, .id = id, .count = static_cast<std::uint64_t>(origin)});
}

/// Where memory is shared, what an epoch that came as records would have written there.
void WindowCore::note_done(int from, const Record& record) {
  Peer& origin = peer(from);
  const bool is_fence = record.kind == RecordKind::fence_done;
  if (!origin.block) {
    (is_fence ? origin.fences_done : origin.accesses_done) = record.id;
    return;
  }
  DoneLine& done = mine_.done(origin.member);
  SharedAccess::store(is_fence ? done.fences : done.accesses, record.id);
  SharedAccess::store(mine_.grant(origin.member).pushes, ++origin.pushes_done);
  origin.waker.wake();
}

/// What was sent first is done first, so that this never fails: unless something was lost or came
/// twice.
void WindowCore::require_all_done(int from, const Record& record) const {
  if (peer(from).operations_done == record.count) return;
  throw rt::internal_failure(
      fmt::format("{}: rank {} says that it has sent {} operations, and {} have come",
                  options_.name, from, record.count, peer(from).operations_done));
}

void WindowCore::apply(int from, const Record& record, std::span<const std::byte> bytes) {
  Peer& origin = peer(from);
  OperationRecord what;
  std::memcpy(&what, bytes.data(), sizeof what);
  ++origin.operations_done;
  if (what.is_large != 0) {
    apply_large(from, what);
  } else {
    RemoteOperation operation{.kind = what.kind,
                              .update = what.update,
                              .type = static_cast<ScalarType>(what.type),
                              .offset = what.offset,
                              .at = what.at,
                              .source = bytes.data() + sizeof what,
                              .from = contiguous(what.elements),
                              .into = contiguous(what.elements)};
    if (operation.writes_here()) {
      const auto data = static_cast<std::size_t>(what.elements) * element_size_;
      Record reply{.bytes = static_cast<std::uint32_t>((sizeof(Record) + data + 7) / 8 * 8),
                   .kind = RecordKind::reply,
                   .id = what.number};
      operation.result = append(from, reply) + sizeof reply;
    }
    carry_out_here(operation, {what.first, 0, what.elements});
  }
  origin.bytes_done += record.bytes;
  if (origin.bytes_done - origin.bytes_reported >= credit / 2) report_credit(from);
}

void WindowCore::carry_out_here(const RemoteOperation& operation, const OperationPart& part) {
  if (device_ != nullptr)
    return carry_out_on_device(operation, part, element_size_, memory_, *device_);
  carry_out(operation, part, element_size_, memory_, guard_of(mine_));
}

void WindowCore::report_credit(int to) {
  Peer& origin = peer(to);
  origin.bytes_reported = origin.bytes_done;
  append(to, {.kind = RecordKind::credit, .count = origin.bytes_done});
}

/// Straight into the window, or out of it; of a device, by way of the host.
void WindowCore::apply_large(int from, const OperationRecord& operation) {
  std::span<std::byte> place(memory_ + static_cast<std::size_t>(operation.offset) * element_size_,
                             static_cast<std::size_t>(operation.elements) * element_size_);
  const bool is_put = operation.kind == RemoteKind::put;
  Messenger& messenger = space_->messenger();
  Served served{.origin = from};
  if (device_ != nullptr) {
    served.host = std::make_unique_for_overwrite<std::byte[]>(place.size());
    if (is_put)
      served.device = place;
    else
      device_->to_host(served.host.get(), place.data(), place.size());
    place = {served.host.get(), place.size()};
  }
  if (is_put)
    served.message = messenger.receive_large(from, place, Messenger::Large::operand, lane_);
  else
    served.message = messenger.send_large(from, place, Messenger::Large::reply, lane_);
  served_.push_back(std::move(served));
  ++peer(from).transfers;
}

void WindowCore::serve_locks() {
  const TicketLock lock(mine_.lock());
  std::erase_if(lock_waiters_, [&](int rank) {
    Peer& origin = peer(rank);
    if (!(origin.goes_past_queue ? lock.enter_past_queue()
                                 : lock.enter(origin.ticket, origin.lock)))
      return false;
    origin.lock_stage = Peer::Hold::held;
    has_moved_ = true;
    return true;
  });
}

}  // namespace cartwright::comm
