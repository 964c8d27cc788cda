// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/comm/transport/message_queue.hpp>
#include <cartwright/rt/error.hpp>
#include <cstring>

namespace cartwright::comm {

// A message that fits into an entry or a slot is one piece, its last. A longer one begins with a
// piece that holds its length.

MessageQueue::MessageQueue(Mailboxes& mailboxes, int lane)
    : lane_(&mailboxes.lane(static_cast<std::uint64_t>(lane))),
      me_(mailboxes.me()),
      slot_(std::min(mailboxes.shape().slot, mailboxes.shape().fragment)),
      outboxes_(static_cast<std::size_t>(mailboxes.members())),
      inboxes_(outboxes_.size()) {
  if (slot_ == 0) throw rt::internal_failure("a queue of messages without memory for long ones");
  for (int member = 0; member < mailboxes.members(); ++member)
    bells_.push_back(mailboxes.bell(lane, member));
}

std::uint64_t MessageQueue::send(int to, std::span<const std::byte> data) {
  Outbox& out = outboxes_[static_cast<std::size_t>(to)];
  const std::uint64_t number = out.first + out.waiting.size();
  out.waiting.push_back({.data = data, .has_header = data.size() <= slot_});
  push_all(to);
  return number;
}

void MessageQueue::progress() {
  for (std::size_t to = 0; to < outboxes_.size(); ++to)
    if (!outboxes_[to].waiting.empty()) push_all(static_cast<int>(to));
}

void MessageQueue::push_all(int to) {
  Outbox& out = outboxes_[static_cast<std::size_t>(to)];
  bool has_posted = false;
  while (!out.waiting.empty() && push(to, out.waiting.front())) {
    has_posted = true;
    const Waiting& message = out.waiting.front();
    if (!message.has_header || message.sent < message.data.size()) continue;
    out.waiting.pop_front();
    ++out.first;
  }
  if (has_posted) bells_[static_cast<std::size_t>(to)].ring(me_);
}

bool MessageQueue::push(int to, Waiting& message) {
  Path& path = lane_->path(to);
  if (!path.has_room()) return false;
  const std::uint64_t bytes = message.data.size();
  if (bytes <= Entry::capacity) {
    path.post_inside(message.data.data(), bytes, true);
    message.sent = bytes;
    return true;
  }
  if (message.has_header) return push_part(path, message);
  message.has_header = true;
  path.post_inside(reinterpret_cast<const std::byte*>(&bytes), sizeof bytes, false);
  return true;
}

/// Staged where there is room for it, else in the receiver's slot: nobody waits for what others
/// don't take.
bool MessageQueue::push_part(Path& path, Waiting& message) const {
  const std::byte* const data = message.data.data() + message.sent;
  const std::size_t left = message.data.size() - message.sent;
  const std::size_t bytes = std::min(left, slot_);
  if (const Staging::Block block = lane_->stage(data, bytes); block != Staging::none) {
    path.post_staged(block, bytes, bytes == left);
  } else {
    if (!path.is_drained()) return false;
    path.post_in_slot(data, bytes, bytes == left);
  }
  message.sent += bytes;
  return true;
}

void MessageQueue::note(int from) {
  Inbox& in = inboxes_[static_cast<std::size_t>(from)];
  if (in.is_ready) return;
  in.is_ready = true;
  ready_.push_back(from);
}

bool MessageQueue::has_begun(int from) {
  Inbox& in = inboxes_[static_cast<std::size_t>(from)];
  if (in.bytes) return true;
  Path& path = lane_->path(from);
  Piece piece;
  if (!path.peek(piece)) return false;
  if (piece.last) {
    in.bytes = piece.length;
    return true;
  }
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, path.bytes(piece), sizeof bytes);
  in.bytes = bytes;
  path.pop();
  return true;
}

std::optional<Envelope> MessageQueue::next() {
  bells_[static_cast<std::size_t>(me_)].answer([this](int from) { note(from); });
  for (std::size_t looks = ready_.size(); looks > 0; --looks) {
    const int from = ready_.front();
    Inbox& in = inboxes_[static_cast<std::size_t>(from)];
    Piece piece;
    if (has_begun(from) && lane_->path(from).peek(piece)) return Envelope{from, *in.bytes};
    ready_.pop_front();
    // The rest of a message, and what is still on a link, come without another ring.
    in.is_ready = in.bytes || lane_->path(from).is_on_its_way();
    if (in.is_ready) ready_.push_back(from);
  }
  return std::nullopt;
}

bool MessageQueue::take(const Envelope& message, std::span<std::byte> into) {
  Inbox& in = inboxes_[static_cast<std::size_t>(message.from)];
  if (!in.bytes || *in.bytes != message.bytes || into.size() < message.bytes)
    throw rt::internal_failure("a message was taken that hasn't come, or into too little memory");
  Path& path = lane_->path(message.from);
  for (Piece piece; path.peek(piece);) {
    SharedAccess::copy(into.data() + in.received, path.bytes(piece), piece.length);
    in.received += piece.length;
    path.pop();
    if (!piece.last) continue;
    in.bytes.reset();
    in.received = 0;
    if (ready_.size() > 1) {  // the next one's turn
      ready_.push_back(ready_.front());
      ready_.pop_front();
    }
    return true;
  }
  return false;
}

}  // namespace cartwright::comm
