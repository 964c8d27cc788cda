// SPDX-License-Identifier: Apache-2.0
#include <cartwright/comm/transport/mailboxes.hpp>
#include <cartwright/rt/error.hpp>
#include <utility>

namespace cartwright::comm {

namespace {

std::byte* in_part(const SegmentView& segment, int member, std::size_t offset) {
  return segment.parts[static_cast<std::size_t>(member)].data() + offset;
}

}  // namespace

MailboxLane::MailboxLane(const SegmentView& segment, const MailboxShape& shape,
                         std::span<const Link> links, int lane)
    : staging_(std::make_unique<StagingMemory>(StagingMemory{
          Staging(shape.staging), in_part(segment, segment.me, shape.staging_begin(lane)),
          shape.staging_begin(lane)})) {
  // The memory is zeroed, which is how entries and counters begin.
  const auto entries = [&](int receiver, int sender) {
    return reinterpret_cast<Entry*>(in_part(segment, receiver, shape.ring_begin(lane, sender)));
  };
  const auto taken = [&](int receiver, int sender) {
    return reinterpret_cast<SharedCounter*>(
        in_part(segment, receiver, shape.taken_begin(lane, sender)));
  };
  const auto times = [&](int receiver, int sender) {
    return reinterpret_cast<std::uint64_t*>(
        in_part(segment, receiver, shape.times_begin(lane, sender)));
  };
  const int me = segment.me;
  paths_.reserve(static_cast<std::size_t>(segment.members()));
  for (int member = 0; member < segment.members(); ++member) {
    const auto at = static_cast<std::size_t>(member);
    Path::Ends ends{.out = {entries(member, me), taken(member, me), shape.entries},
                    .in = {entries(me, member), taken(me, member), shape.entries},
                    .their_part = segment.parts[at].data(),
                    .slot = shape.staging + at * shape.slot,
                    .entries = shape.entries,
                    .waker = segment.waker(member)};
    if (!segment.memories.empty()) ends.their_memory = &segment.memories[at];
    if (!links.empty() && links[at]) {
      ends.link = &links[at];
      ends.out_times = times(member, me);
      ends.in_times = times(me, member);
    }
    paths_.emplace_back(ends, *staging_);
  }
}

Staging::Block MailboxLane::stage(const std::byte* data, std::size_t bytes) {
  Staging& blocks = staging_->blocks;
  Staging::Block block = blocks.allocate(bytes);
  if (block == Staging::none) {
    for (Path& path : paths_) path.look();
    block = blocks.allocate(bytes);
    if (block == Staging::none) return block;
  }
  SharedAccess::copy(staging_->memory + blocks.offset(block), data, bytes);
  return block;
}

Mailboxes::Mailboxes(SegmentView segment, const MailboxShape& shape, std::vector<Link> links)
    : segment_(std::move(segment)), shape_(shape), links_(std::move(links)) {
  if (segment_.members() > shape.members)
    throw rt::internal_failure("mailboxes for fewer members than there are");
  for (const auto part : segment_.parts)
    if (part.size() < shape.bytes_per_member())
      throw rt::internal_failure("the shared segment is too small for the mailboxes");
  if (!links_.empty() && (!shape.has_links || std::ssize(links_) != segment_.members()))
    throw rt::internal_failure("mailboxes that have no room for the times of their links");
  if (segment_.memories.empty())
    shape_.copies.direct_from = shape_.copies.moved_direct_from = CopyThresholds::never;
  lanes_.reserve(static_cast<std::size_t>(shape.lanes));
  for (int lane = 0; lane < shape.lanes; ++lane)
    lanes_.emplace_back(segment_, shape_, links_, lane);
}

Doorbell<> Mailboxes::bell(int lane, int member) const {
  std::byte* const bits = in_part(segment_, member, shape_.bell_begin(lane));
  return Doorbell<>(
      std::span(reinterpret_cast<std::uint64_t*>(bits), Doorbell<>::words(shape_.members)));
}

}  // namespace cartwright::comm
