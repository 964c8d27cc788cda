// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/transport/link.hpp>
#include <cartwright/comm/transport/mailbox_shape.hpp>
#include <cartwright/comm/transport/path.hpp>
#include <cartwright/comm/transport/segment.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace cartwright::comm {

/// One member's paths to all others, and its staging memory for them. Used by
/// one conversation at a time; the next one's messages follow on the same paths,
/// in order.
class MailboxLane {
 public:
  /// `links`: by member, empty where there are none. What is passed must outlive this.
  MailboxLane(const SegmentView& segment, const MailboxShape& shape, std::span<const Link> links,
              int lane);

  /// Users enter in the order in which they ask. False: not yet, ask
  /// again with the ticket.
  [[nodiscard]] std::uint64_t take_ticket() noexcept { return tickets_++; }
  [[nodiscard]] bool may_enter(std::uint64_t ticket) const noexcept { return ticket == left_; }
  void leave() noexcept { ++left_; }

  [[nodiscard]] Path& path(int member) { return paths_[static_cast<std::size_t>(member)]; }

  /// A block with a copy of the data; none while there is no room.
  [[nodiscard]] Staging::Block stage(const std::byte* data, std::size_t bytes);
  [[nodiscard]] bool is_live(Staging::Block block) const { return staging_->blocks.is_live(block); }

 private:
  std::unique_ptr<StagingMemory> staging_;  // paths point to it
  std::vector<Path> paths_;                 // by member
  std::uint64_t tickets_ = 0;
  std::uint64_t left_ = 0;
};

}  // namespace cartwright::comm
