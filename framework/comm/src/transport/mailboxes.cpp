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

MailboxLane::MailboxLane(const SegmentView& segment, const MailboxShape& shape, int lane)
    : blocks_(static_cast<std::size_t>(segment.members()) * shape.entries, Staging::none),
      staging_(shape.staging),
      staging_memory_(in_part(segment, segment.me, shape.staging_begin(lane))),
      staging_begin_(shape.staging_begin(lane)),
      slot_bytes_(shape.slot),
      entries_(shape.entries) {
  // The memory is zeroed, which is how entries and counters begin.
  for (int member = 0; member < segment.members(); ++member) {
    const auto entries = [&](int receiver, int sender) {
      return reinterpret_cast<Entry*>(in_part(segment, receiver, shape.ring_begin(lane, sender)));
    };
    const auto taken = [&](int receiver, int sender) {
      return reinterpret_cast<SharedCounter*>(
          in_part(segment, receiver, shape.taken_begin(lane, sender)));
    };
    paths_.push_back(
        {RingWriter<>(entries(member, segment.me), taken(member, segment.me), shape.entries),
         RingReader<>(entries(segment.me, member), taken(segment.me, member), shape.entries)});
  }
}

void MailboxLane::look(int member) {
  RingWriter<>& out = path(member).out;
  std::uint64_t number = out.seen();
  for (const std::uint64_t now = out.look(); number < now; ++number) {
    const Staging::Block block =
        blocks_[static_cast<std::size_t>(member) * entries_ + out.place(number)];
    if (block != Staging::none) staging_.drop_reader(block);
  }
}

bool MailboxLane::has_room_now(int member) {
  look(member);
  return path(member).out.has_known_room();
}

void MailboxLane::post_staged(int member, Staging::Block block, std::size_t bytes, bool last) {
  Path& to = path(member);
  staging_.add_reader(block);
  block_of(to, member) = block;
  announce(to, staging_.offset(block), bytes, last);
}

void MailboxLane::post_in_slot(int member, const std::byte* data, std::size_t bytes, bool last) {
  Path& to = path(member);
  const std::size_t offset = staging_.bytes() + static_cast<std::size_t>(member) * slot_bytes_;
  SharedAccess::copy(staging_memory_ + offset, data, bytes);
  block_of(to, member) = Staging::none;
  announce(to, offset, bytes, last);
}

void MailboxLane::announce(Path& to, std::size_t offset, std::size_t bytes, bool last) const {
  const std::uint64_t in_my_part = staging_begin_ + offset;
  to.out.post({PieceKind::staged, last, static_cast<std::uint32_t>(bytes)},
              reinterpret_cast<const std::byte*>(&in_my_part), sizeof in_my_part);
}

void MailboxLane::post_direct(int member, const std::byte* data, std::size_t bytes) {
  Path& to = path(member);
  block_of(to, member) = Staging::none;
  const DirectPiece piece{reinterpret_cast<std::uint64_t>(data), bytes};
  to.out.post({PieceKind::direct, true, 0}, reinterpret_cast<const std::byte*>(&piece),
              sizeof piece);
}

Staging::Block MailboxLane::stage(const std::byte* data, std::size_t bytes) {
  Staging::Block block = staging_.allocate(bytes);
  if (block == Staging::none) {
    for (int member = 0; member < static_cast<int>(paths_.size()); ++member) look(member);
    block = staging_.allocate(bytes);
    if (block == Staging::none) return block;
  }
  SharedAccess::copy(staging_memory_ + staging_.offset(block), data, bytes);
  return block;
}

Mailboxes::Mailboxes(SegmentView segment, const MailboxShape& shape)
    : segment_(std::move(segment)), shape_(shape) {
  if (segment_.members() > shape.members)
    throw rt::internal_failure("mailboxes for fewer members than there are");
  for (const auto part : segment_.parts)
    if (part.size() < shape.bytes_per_member())
      throw rt::internal_failure("the shared segment is too small for the mailboxes");
  if (segment_.memories.empty())
    shape_.direct_from = shape_.moved_direct_from = MailboxShape::never;
  for (int lane = 0; lane < shape.lanes; ++lane) lanes_.emplace_back(segment_, shape_, lane);
}

}  // namespace cartwright::comm
