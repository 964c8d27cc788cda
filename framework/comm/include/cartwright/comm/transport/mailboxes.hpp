// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/transport/doorbell.hpp>
#include <cartwright/comm/transport/mailbox_lane.hpp>
#include <cartwright/comm/transport/mailbox_shape.hpp>
#include <cartwright/comm/transport/segment.hpp>
#include <cstdint>
#include <vector>

namespace cartwright::comm {

/// The paths between members of one communicator on one node, in several lanes: conversations in
/// flight at the same time keep out of each other's way.
class Mailboxes {
 public:
  /// The segment's memory must outlive this and be as large as the shape says. `links`: what lies
  /// between this member and each of the others; none: nothing. Local.
  Mailboxes(SegmentView segment, const MailboxShape& shape, std::vector<Link> links = {});
  Mailboxes(const Mailboxes&) = delete;
  Mailboxes& operator=(const Mailboxes&) = delete;
  ~Mailboxes() = default;

  [[nodiscard]] const MailboxShape& shape() const noexcept { return shape_; }
  [[nodiscard]] int members() const noexcept { return segment_.members(); }
  [[nodiscard]] int me() const noexcept { return segment_.me; }
  /// The lane of the conversation with that number.
  [[nodiscard]] MailboxLane& lane(std::uint64_t sequence) noexcept {
    return lanes_[sequence & (lanes_.size() - 1)];
  }
  /// Where others ring for a member, when they have posted something in that lane.
  [[nodiscard]] Doorbell<> bell(int lane, int member) const;

 private:
  SegmentView segment_;
  MailboxShape shape_;
  std::vector<Link> links_;
  std::vector<MailboxLane> lanes_;
};

}  // namespace cartwright::comm
