// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/transport/mailbox_lane.hpp>
#include <cartwright/comm/transport/mailbox_shape.hpp>
#include <cartwright/comm/transport/segment.hpp>
#include <cstdint>
#include <vector>

namespace cartwright::comm {

/// The message paths between members of one communicator on one node. Its
/// collectives take turns in several lanes, so that those in flight keep out of
/// each other's way.
class Mailboxes {
 public:
  /// The segment's memory must outlive this and be as large as the shape says.
  /// Local.
  Mailboxes(SegmentView segment, const MailboxShape& shape);
  Mailboxes(const Mailboxes&) = delete;
  Mailboxes& operator=(const Mailboxes&) = delete;
  ~Mailboxes() = default;

  [[nodiscard]] const MailboxShape& shape() const noexcept { return shape_; }
  [[nodiscard]] int members() const noexcept { return segment_.members(); }
  [[nodiscard]] int me() const noexcept { return segment_.me; }
  /// The lane of the collective with that number.
  [[nodiscard]] MailboxLane& lane(std::uint64_t sequence) noexcept {
    return lanes_[sequence & (lanes_.size() - 1)];
  }
  /// The sender's part of the segment.
  [[nodiscard]] const std::byte* part(int member) const noexcept {
    return segment_.parts[static_cast<std::size_t>(member)].data();
  }
  [[nodiscard]] const PeerMemory& memory(int member) const noexcept {
    return segment_.memories[static_cast<std::size_t>(member)];
  }

 private:
  SegmentView segment_;
  MailboxShape shape_;
  std::vector<MailboxLane> lanes_;
};

}  // namespace cartwright::comm
