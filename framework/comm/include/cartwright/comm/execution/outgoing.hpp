// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/transport/mailboxes.hpp>
#include <cartwright/plan/program.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace cartwright::comm {

/// The sends of one program. What finds no room waits here and leaves in
/// `progress`, in order per receiver; no receiver waits for what another one
/// doesn't take.
class Outgoing {
 public:
  using MemberOf = std::function<std::int32_t(int rank)>;

  Outgoing(const Mailboxes& mailboxes, const plan::Program& program, std::size_t element_size,
           const MemberOf& member_of);

  /// A new run.
  void begin(MailboxLane& lane) {
    lane_ = &lane;
    next_ = 0;
    complete_ = 0;
    ++run_;
  }
  /// The next send of the program.
  void send(int to, const std::byte* data, std::size_t bytes) {
    Path& path = lane_->path(to);
    if (bytes <= Entry::capacity && !waits_for(to) && path.has_room()) {
      path.post_inside(data, bytes, true);
      pass();
    } else {
      send_in_pieces(to, data);
    }
  }
  /// The next send of the program is none of ours.
  void pass() {
    if (complete_ == next_)
      ++complete_;
    else
      transfers_[static_cast<std::size_t>(next_)].is_complete = true;
    ++next_;
  }

  /// Whether the sources of the program's first sends may be overwritten.
  [[nodiscard]] bool are_complete(std::int32_t sends) {
    return complete_ >= sends || become_complete(sends);
  }
  [[nodiscard]] bool all_are_complete() const {
    return complete_ == static_cast<std::int32_t>(transfers_.size());
  }
  void progress() {
    if (!busy_.empty()) push_all();
  }
  /// Pieces posted, of those that didn't leave at once.
  [[nodiscard]] std::uint64_t moves() const noexcept { return moves_; }

 private:
  static constexpr std::int32_t none = -1;

  struct Transfer {
    std::int32_t to = none;
    std::int32_t next = none;   // that waits for the same receiver
    std::int32_t group = none;  // first of the sends of the same data that follow each other
    bool is_last_of_group = true;
    bool is_shared = false;  // there are others in the group
    bool is_complete = false;
    bool is_direct = false;  // read from the sender's memory
    std::size_t bytes = 0;
    const std::byte* data = nullptr;
    std::size_t sent = 0;      // bytes
    std::uint64_t number = 0;  // is_direct: complete when so many entries are done with
  };
  struct Queue {
    std::int32_t first = none;
    std::int32_t last = none;
    std::int32_t stalls = 0;
  };
  /// A block that all receivers of a group read.
  struct SharedBlock {
    std::uint64_t run = 0;
    std::int32_t group = none;
    std::size_t begin = 0;
    Staging::Block block = Staging::none;
  };

  [[nodiscard]] bool waits_for(int to) const {
    return queues_[static_cast<std::size_t>(to)].first != none;
  }
  void send_in_pieces(int to, const std::byte* data);
  void wait_in_queue(std::int32_t number);
  void push_all();
  /// Posts one piece; false if there is no room.
  bool push(Transfer& transfer);
  bool push_staged(Transfer& transfer);
  bool push_in_slot(Transfer& transfer);
  /// Which sends are shared, and which are direct.
  void look_ahead(const plan::Program& program, const MailboxShape& shape);
  [[nodiscard]] Staging::Block staged(const Transfer& transfer, std::size_t bytes);
  bool become_complete(std::int32_t sends);

  MailboxLane* lane_ = nullptr;
  std::size_t fragment_;
  std::size_t slot_;                 // bytes of a piece there: whole elements if possible
  std::vector<Transfer> transfers_;  // by number of the send in the program
  std::vector<Queue> queues_;        // by receiver
  std::vector<std::int32_t> busy_;   // receivers with something in their queue
  std::vector<SharedBlock> shared_;
  std::size_t shared_next_ = 0;
  std::int32_t next_ = 0;
  std::int32_t complete_ = 0;  // of the sends, from the first one on
  std::uint64_t run_ = 0;
  std::uint64_t moves_ = 0;
};

}  // namespace cartwright::comm
