// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/comm/transport/landing_areas.hpp>
#include <cartwright/rt/error.hpp>
#include <utility>

namespace cartwright::comm {

LandingShape LandingShape::within(std::size_t bytes, int members) {
  LandingShape shape;
  shape.members = std::max(members, 1);
  // Long messages first: a smaller chunk costs more turns, but each message only its own.
  while (shape.bytes_per_member() > bytes && shape.chunk > 16 << 10) shape.chunk /= 2;
  while (shape.bytes_per_member() > bytes && shape.eager > 512) shape.eager /= 2;
  while (shape.bytes_per_member() > bytes && shape.places > 2) shape.places /= 2;
  while (shape.bytes_per_member() > bytes && shape.eager > cache_line) shape.eager /= 2;
  while (shape.bytes_per_member() > bytes && shape.chunk > 4 << 10) shape.chunk /= 2;
  if (shape.bytes_per_member() <= bytes) return shape;
  throw rt::input_error(
      fmt::format("{} bytes of shared memory for each rank are too few for {} ranks on a node",
                  bytes, members),
      "Give more of it to each communicator (comm.shared.memory, in MiB, is for those of a grid "
      "together), or set comm.backend to p2p.");
}

LandingAreas::LandingAreas(SegmentView segment, const LandingShape& shape)
    : segment_(std::move(segment)), shape_(shape) {
  if (segment_.members() > shape.members)
    throw rt::internal_failure("landing areas for fewer members than there are");
  const int me = segment_.me;
  const auto at = [this](int member, std::size_t offset) {
    return segment_.parts[static_cast<std::size_t>(member)].data() + offset;
  };
  const auto counter = [&](int member, std::size_t offset) {
    return reinterpret_cast<SharedCounter*>(at(member, offset));
  };
  const auto entries = [&](int member, std::size_t offset) {
    return reinterpret_cast<Entry*>(at(member, offset));
  };
  for (int set = 0; set < LandingShape::sets; ++set) {
    LandingSet& made = sets_.emplace_back();
    made.chunks = at(me, shape.chunk_begin(set, 0));
    made.filled = counter(me, shape.filled_begin(set, 0));
    for (int member = 0; member < segment_.members(); ++member)
      made.pairs.push_back(
          {.out = {entries(member, shape.entries_begin(set, me)),
                   counter(member, shape.taken_begin(set, me)), shape.places},
           .in = {entries(me, shape.entries_begin(set, member)),
                  counter(me, shape.taken_begin(set, member)), shape.places},
           .theirs = at(member, shape.eager_begin(set, me)),
           .mine = at(me, shape.eager_begin(set, member)),
           .granted_by_me = reinterpret_cast<Grant*>(at(member, shape.grant_begin(set, me))),
           .granted = reinterpret_cast<const Grant*>(at(me, shape.grant_begin(set, member))),
           .their_chunks = at(member, shape.chunk_begin(set, 0)),
           .their_filled = counter(member, shape.filled_begin(set, 0)),
           .waker = segment_.waker(member)});
  }
}

}  // namespace cartwright::comm
