// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/transport/mailboxes.hpp>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

namespace cartwright::comm {

/// A message that has begun to come in.
struct Envelope {
  int from = 0;
  std::size_t bytes = 0;
};

/// Messages of any length to any member of the node: whoever receives one learns from whom it is
/// and how long when it comes. In order from each sender, in turns between senders. Nothing blocks.
/// Looking costs a word where nothing has come, however many members there are.
class MessageQueue {
 public:
  /// Takes the lane of that number for itself: nobody else may use it, on any member. `mailboxes`
  /// must outlive this.
  explicit MessageQueue(Mailboxes& mailboxes, int lane = 0);

  /// What doesn't leave at once leaves in `progress`: the data must stay as they are until
  /// `has_left` says so of the number that is given back.
  std::uint64_t send(int to, std::span<const std::byte> data);
  [[nodiscard]] bool has_left(int to, std::uint64_t number) const {
    return number < outbox(to).first;
  }
  /// Lets leave what waits for room.
  void progress();

  /// A message of which there is something to take: one that begins, or the rest of one that has
  /// been taken in part.
  [[nodiscard]] std::optional<Envelope> next();
  /// Takes what has come of the message that `next` has told of; true when that was all. `into`: as
  /// long as the envelope says, and the same until then.
  [[nodiscard]] bool take(const Envelope& message, std::span<std::byte> into);

 private:
  struct Waiting {
    std::span<const std::byte> data;
    std::size_t sent = 0;
    bool has_header = false;  ///< it has left, or isn't needed: one piece is all
  };
  struct Outbox {
    std::deque<Waiting> waiting;
    std::uint64_t first = 0;  // number of the first that waits
  };
  struct Inbox {
    std::optional<std::size_t> bytes;  // of the message that comes in
    std::size_t received = 0;
    bool is_ready = false;  // among those to be looked at
  };

  [[nodiscard]] const Outbox& outbox(int to) const {
    return outboxes_[static_cast<std::size_t>(to)];
  }
  /// Posts one piece; false without room.
  bool push(int to, Waiting& message);
  bool push_part(Path& path, Waiting& message) const;
  void push_all(int to);
  void note(int from);
  /// Whether a message of that member has begun to come in.
  bool has_begun(int from);

  MailboxLane* lane_;
  int me_;
  std::size_t slot_;               // bytes of a piece
  std::vector<Doorbell<>> bells_;  // by member: where it answers, and the others ring
  std::vector<Outbox> outboxes_;
  std::vector<Inbox> inboxes_;
  std::deque<int> ready_;  // members that may have sent something, in turns
};

}  // namespace cartwright::comm
