// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/transport/mailbox_shape.hpp>
#include <cartwright/comm/transport/ring.hpp>
#include <cartwright/comm/transport/segment.hpp>
#include <cartwright/comm/transport/staging.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace cartwright::comm {

/// One member's ends of the rings of a lane, and its staging memory. Used by
/// one collective at a time; the next one's messages follow in the same rings,
/// in order.
class MailboxLane {
 public:
  MailboxLane(const SegmentView& segment, const MailboxShape& shape, int lane);

  /// Collectives enter in the order in which they ask. False: not yet, ask
  /// again with the ticket.
  [[nodiscard]] std::uint64_t take_ticket() noexcept { return tickets_++; }
  [[nodiscard]] bool may_enter(std::uint64_t ticket) const noexcept { return ticket == left_; }
  void leave() noexcept { ++left_; }

  [[nodiscard]] bool has_room(int member) {
    return path(member).out.has_known_room() || has_room_now(member);
  }
  /// Nothing that was posted to the member waits to be read.
  [[nodiscard]] bool is_drained(int member) {
    look(member);
    return path(member).out.seen() == path(member).out.posted();
  }
  /// Number of the entries posted to a member, and of those that it has done
  /// with.
  [[nodiscard]] std::uint64_t posted(int member) const { return path(member).out.posted(); }
  [[nodiscard]] std::uint64_t done_with(int member) {
    look(member);
    return path(member).out.seen();
  }
  [[nodiscard]] RingReader<>& incoming(int member) { return path(member).in; }

  // Only where there is room.
  void post_inside(int member, const std::byte* data, std::size_t bytes, bool last) {
    Path& to = path(member);
    block_of(to, member) = Staging::none;
    to.out.post({PieceKind::inside, last, static_cast<std::uint32_t>(bytes)}, data, bytes);
  }
  void post_staged(int member, Staging::Block block, std::size_t bytes, bool last);
  void post_direct(int member, const std::byte* data, std::size_t bytes);
  /// At most as much as fits into the slot, and only when the member is drained: the slot is its
  /// own, so that members always get on, whatever else waits in the staging memory.
  void post_in_slot(int member, const std::byte* data, std::size_t bytes, bool last);

  /// A block with a copy of the data; none while there is no room.
  [[nodiscard]] Staging::Block stage(const std::byte* data, std::size_t bytes);
  [[nodiscard]] bool is_live(Staging::Block block) const { return staging_.is_live(block); }

 private:
  struct Path {
    RingWriter<> out;
    RingReader<> in;
  };

  [[nodiscard]] Path& path(int member) { return paths_[static_cast<std::size_t>(member)]; }
  [[nodiscard]] const Path& path(int member) const {
    return paths_[static_cast<std::size_t>(member)];
  }
  [[nodiscard]] Staging::Block& block_of(const Path& to, int member) {
    return blocks_[static_cast<std::size_t>(member) * entries_ + to.out.place(to.out.posted())];
  }
  bool has_room_now(int member);
  void announce(Path& to, std::size_t offset, std::size_t bytes, bool last) const;
  /// Finds out what the member has done with, and frees what it had to read.
  void look(int member);

  std::vector<Path> paths_;             // by member
  std::vector<Staging::Block> blocks_;  // by member and place in the ring: what the entry points to
  Staging staging_;
  std::byte* staging_memory_ = nullptr;  // mine
  std::size_t staging_begin_ = 0;        // in my part
  std::size_t slot_bytes_ = 0;           // of each member's, behind the staging memory
  std::uint32_t entries_ = 0;
  std::uint64_t tickets_ = 0;
  std::uint64_t left_ = 0;
};

}  // namespace cartwright::comm
