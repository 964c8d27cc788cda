// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/comm/execution/landing_messages.hpp>
#include <cartwright/rt/error.hpp>

namespace cartwright::comm {

namespace {

[[noreturn]] void throw_wrong_length(int other, std::size_t mine, std::size_t theirs) {
  throw rt::internal_failure(
      fmt::format("a message of {} bytes is one of {} for member {} of the node", mine, theirs,
                  other),
      "Do all ranks call the same collectives in the same order, with the same counts? "
      "comm.checked: true, or CARTWRIGHT_COMM_CHECKED=1, tells which one differs, and where.");
}

}  // namespace

LandingMessages::LandingMessages(LandingAreas& areas, std::span<const std::int32_t> members,
                                 const plan::Program& program, std::size_t element_size)
    : areas_(&areas),
      members_(members),
      element_size_(element_size),
      chunk_(areas.shape().chunk),
      incoming_(element_size),
      sends_(program.sends()) {
  if (element_size <= chunk_) chunk_ -= chunk_ % element_size;
  waiting_.reserve(static_cast<std::size_t>(program.sends()));
  for (const plan::BoundStep& step : program.steps()) {
    const bool receives =
        step.kind == plan::StepKind::receive || step.kind == plan::StepKind::receive_combine;
    if (receives && member(step.peer) >= 0) ++receives_;
  }
}

bool LandingMessages::begin(std::uint64_t sequence, const plan::Buffers& buffers) {
  LandingSet& set = areas_->set(sequence);
  if (!ticket_) ticket_ = set.tickets++;
  if (*ticket_ != set.left) return false;
  ticket_.reset();
  set_ = &set;
  buffers_ = buffers;
  sent_ = 0;
  left_to_receive_ = receives_;
  waiting_.clear();
  return true;
}

bool LandingMessages::send(const plan::BoundStep& step) {
  const std::int32_t number = sent_++;
  const int to = member(step.peer);
  if (to < 0) return false;
  Outgoing message{
      .number = number, .to = to, .data = step.source.in(buffers_), .bytes = bytes_of(step)};
  if (message.bytes > areas_->shape().eager) message.message = ++pair(to).long_sent;
  // Short ones to one member leave in their order, and so do long ones; the former find their
  // places by themselves, the latter by what they are granted.
  const bool must_wait = std::ranges::any_of(waiting_, [&](const Outgoing& other) {
    return other.to == to && (other.message == 0) == (message.message == 0);
  });
  if (must_wait || !put(message)) waiting_.push_back(message);
  return true;
}

bool LandingMessages::put(Outgoing& message) {
  return message.message == 0 ? put_short(message) : put_chunks(message);
}

bool LandingMessages::put_short(const Outgoing& message) {
  LandingPair& to = pair(message.to);
  if (!to.out.has_known_room()) {
    to.out.look();
    if (!to.out.has_known_room()) return false;
  }
  ++put_;
  const auto length = static_cast<std::uint32_t>(message.bytes);
  if (message.bytes <= Entry::capacity) {
    to.out.post({PieceKind::inside, true, length}, message.data, message.bytes);
  } else {
    std::byte* const place = to.theirs + to.out.place(to.out.posted()) * areas_->shape().eager;
    SharedAccess::copy(place, message.data, message.bytes);
    to.out.post({PieceKind::staged, true, length}, nullptr, 0);
  }
  to.waker.wake();
  return true;
}

bool LandingMessages::put_chunks(Outgoing& message) {
  const LandingPair& to = pair(message.to);
  if (SharedAccess::load(to.granted->message) != message.message) return false;
  if (to.granted->bytes != message.bytes)
    throw_wrong_length(message.to, message.bytes, to.granted->bytes);
  // Read now: once the last chunk has been put, the receiver may grant another message.
  const std::uint64_t first = to.granted->first;
  const std::uint64_t end = SharedAccess::load(to.granted->end);
  const std::uint64_t chunks = chunks_of(message.bytes);
  for (; first + message.put < end; ++message.put, ++put_) {
    const std::uint64_t number = first + message.put;
    const std::uint64_t place = number % LandingShape::chunks;
    const std::size_t begin = message.put * chunk_;
    SharedAccess::copy(to.their_chunks + place * areas_->shape().chunk, message.data + begin,
                       std::min(chunk_, message.bytes - begin));
    SharedAccess::store(to.their_filled[place].value, number + 1);
    to.waker.wake();
  }
  return message.put == chunks;
}

bool LandingMessages::take(const plan::BoundStep& step, const Landing& landing) {
  const int from = member(step.peer);
  const bool has_come = landing.bytes > areas_->shape().eager ? take_chunks(from, landing)
                                                              : take_short(from, landing);
  if (has_come) --left_to_receive_;
  return has_come;
}

bool LandingMessages::take_short(int from, const Landing& landing) {
  LandingPair& pair_of = pair(from);
  Piece piece;
  if (!pair_of.in.peek(piece)) return false;
  if (piece.length != landing.bytes) throw_wrong_length(from, landing.bytes, piece.length);
  const std::byte* const data = piece.kind == PieceKind::inside
                                    ? pair_of.in.data()
                                    : pair_of.mine + pair_of.in.place() * areas_->shape().eager;
  incoming_.take_part(data, landing.bytes, landing);
  pair_of.in.pop();
  return true;
}

/// As much as there is room for: the sender puts the next chunk while this one is read.
void LandingMessages::grant(int from, std::size_t bytes) {
  Grant& given = *pair(from).granted_by_me;
  const std::uint64_t chunks = std::min(chunks_of(bytes), LandingShape::chunks);
  first_ = set_->granted;
  set_->granted += chunks;
  given.first = first_;
  given.bytes = bytes;
  SharedAccess::store(given.end, set_->granted);
  SharedAccess::store(given.message, ++pair(from).long_received);
  pair(from).waker.wake();
  taken_ = 0;
  is_granted_ = true;
}

bool LandingMessages::take_chunks(int from, const Landing& landing) {
  if (!is_granted_) grant(from, landing.bytes);
  const std::uint64_t chunks = chunks_of(landing.bytes);
  for (; taken_ < chunks; ++taken_) {
    const std::uint64_t number = first_ + taken_;
    const std::uint64_t place = number % LandingShape::chunks;
    if (SharedAccess::load(set_->filled[place].value) != number + 1) return false;
    const std::size_t begin = taken_ * chunk_;
    incoming_.take_part(set_->chunks + place * areas_->shape().chunk,
                        std::min(chunk_, landing.bytes - begin), landing);
    if (set_->granted - first_ < chunks) {
      SharedAccess::store(pair(from).granted_by_me->end, ++set_->granted);
      pair(from).waker.wake();
    }
  }
  is_granted_ = false;
  return true;
}

void LandingMessages::progress() {
  // In order: one that stays keeps back those of its kind to the same member.
  std::size_t kept = 0;
  for (std::size_t i = 0; i < waiting_.size(); ++i) {
    Outgoing& message = waiting_[i];
    const auto goes_before = [&](const Outgoing& other) {
      return other.to == message.to && (other.message == 0) == (message.message == 0);
    };
    const std::span<const Outgoing> before(waiting_.data(), kept);
    if (std::ranges::none_of(before, goes_before) && put(message)) continue;
    if (kept != i) waiting_[kept] = message;
    ++kept;
  }
  waiting_.resize(kept);
}

bool LandingMessages::sends_are_complete(std::int32_t sends) {
  if (!waiting_.empty()) progress();
  if (!waiting_.empty() && waiting_.front().number < sends) return false;
  if (set_ != nullptr && waiting_.empty() && left_to_receive_ == 0 && sent_ == sends_) {
    ++set_->left;
    set_ = nullptr;
  }
  return true;
}

}  // namespace cartwright::comm
