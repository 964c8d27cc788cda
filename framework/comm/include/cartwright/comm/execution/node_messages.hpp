// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/elements/reduction.hpp>
#include <cartwright/comm/execution/incoming.hpp>
#include <cartwright/comm/execution/outgoing.hpp>
#include <cartwright/comm/transport/mailboxes.hpp>
#include <cartwright/plan/program.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace cartwright::comm {

/// The messages of a program between members of one node, through their
/// mailboxes. See `Messages`; knows no MPI. Messages to and from other ranks
/// are somebody else's.
class NodeMessages {
 public:
  /// `mailboxes`, `members` and `program` must outlive this. `members`: by
  /// rank, its number among the members; negative if it isn't one.
  NodeMessages(Mailboxes& mailboxes, std::span<const std::int32_t> members,
               const plan::Program& program, std::size_t element_size);

  [[nodiscard]] bool serves(int rank) const { return member(rank) >= 0; }

  [[nodiscard]] bool begin(std::uint64_t sequence, const plan::Buffers& buffers) {
    MailboxLane& lane = mailboxes_->lane(sequence);
    if (!ticket_) ticket_ = lane.take_ticket();
    if (!lane.may_enter(*ticket_)) return false;
    ticket_.reset();
    lane_ = &lane;
    buffers_ = buffers;
    outgoing_.begin(lane);
    left_to_receive_ = receives_;
    return true;
  }
  void reached(std::size_t /*step*/) {}

  /// False if the peer isn't a member: then the send counts as complete here.
  bool send(const plan::BoundStep& step) {
    const int to = member(step.peer);
    if (to < 0) {
      outgoing_.pass();
      return false;
    }
    outgoing_.send(to, step.source.in(buffers_), bytes_of(step));
    return true;
  }

  [[nodiscard]] bool receive(const plan::BoundStep& step) {
    const int from = member(step.peer);
    Path& path = lane_->path(from);
    Piece piece;
    if (!path.peek(piece)) return false;
    const std::size_t bytes = bytes_of(step);
    if (piece.kind == PieceKind::inside && piece.length == bytes && piece.last &&
        incoming_.is_between_messages()) {
      SharedAccess::copy(step.target.out(buffers_), path.bytes(piece), bytes);
      path.pop();
    } else if (!incoming_.take(path, from, Landing{step.target.out(buffers_), bytes})) {
      return false;
    }
    --left_to_receive_;
    return true;
  }

  [[nodiscard]] bool receive_combine(const plan::BoundStep& step, const Reduction& reduction) {
    const int from = member(step.peer);
    Path& path = lane_->path(from);
    Piece piece;
    if (!path.peek(piece)) return false;
    const std::size_t bytes = bytes_of(step);
    const std::byte* const source = step.source.in(buffers_);
    std::byte* const target = step.target.out(buffers_);
    const bool is_left = step.received == plan::Side::left;
    if (piece.kind == PieceKind::inside && piece.length == bytes && piece.last &&
        incoming_.is_between_messages()) {
      const std::byte* const received = path.bytes(piece);
      reduction(is_left ? received : source, is_left ? source : received, target,
                static_cast<std::size_t>(step.count));
      path.pop();
    } else if (!incoming_.take(path, from, Landing{target, bytes, source, &reduction, is_left})) {
      return false;
    }
    --left_to_receive_;
    return true;
  }

  [[nodiscard]] bool sends_are_complete(std::int32_t sends) {
    if (!outgoing_.are_complete(sends)) return false;
    if (left_to_receive_ == 0 && lane_ != nullptr && outgoing_.all_are_complete()) {
      lane_->leave();
      lane_ = nullptr;
    }
    return true;
  }
  void progress() { outgoing_.progress(); }
  [[nodiscard]] std::uint64_t moves() const noexcept {
    return outgoing_.moves() + incoming_.moves();
  }

 private:
  [[nodiscard]] int member(int rank) const { return members_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] std::size_t bytes_of(const plan::BoundStep& step) const {
    return static_cast<std::size_t>(step.count) * element_size_;
  }

  Mailboxes* mailboxes_;
  std::span<const std::int32_t> members_;
  std::size_t element_size_;
  Outgoing outgoing_;
  Incoming incoming_;
  std::int32_t receives_ = 0;  // of the program, that are ours

  // The present run.
  MailboxLane* lane_ = nullptr;
  plan::Buffers buffers_{};
  std::optional<std::uint64_t> ticket_;
  std::int32_t left_to_receive_ = 0;
};

}  // namespace cartwright::comm
