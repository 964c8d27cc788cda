// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/transport/landing_shape.hpp>
#include <cartwright/comm/transport/ring.hpp>
#include <cartwright/comm/transport/segment.hpp>
#include <cartwright/comm/transport/shared_access.hpp>
#include <cartwright/rt/parking.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace cartwright::comm {

/// What a receiver says of the long message that it waits for: the sender may put chunks `first` to
/// `end` (not included). Numbers only grow, so nothing is ever cleared.
struct alignas(cache_line) Grant {
  std::uint64_t message = 0;  ///< number among the long ones of this pair; written last
  std::uint64_t first = 0;    ///< counts the chunks of all messages that land there
  std::uint64_t end = 0;
  std::uint64_t bytes = 0;  ///< of the message
};

/// The two ways between this member and another one, in one set.
struct LandingPair {
  RingWriter<> out;  ///< its entries lie with the receiver, as do the bytes
  RingReader<> in;
  std::byte* theirs = nullptr;      ///< where I put bytes, by place
  const std::byte* mine = nullptr;  ///< where theirs come
  Grant* granted_by_me = nullptr;   ///< in their part
  const Grant* granted = nullptr;   ///< in mine
  std::byte* their_chunks = nullptr;
  SharedCounter* their_filled = nullptr;
  rt::Waker waker{};                               ///< of the other one
  std::uint64_t long_sent = 0, long_received = 0;  ///< messages
};

/// One set: what all others may put into this member's memory for one call. A call enters when the
/// former one with the same parity has left; what arrives early waits in its place.
struct LandingSet {
  std::vector<LandingPair> pairs;  ///< by member
  const std::byte* chunks = nullptr;
  const SharedCounter* filled = nullptr;
  std::uint64_t granted = 0;  ///< chunks, to whomever
  std::uint64_t tickets = 0, left = 0;
};

/// Memory of each member of a node into which the others put what they have for it, themselves.
/// Short messages go where there is credit (entries that the receiver has taken), long ones where
/// and when the receiver says: no member needs more room than for those that it waits for.
class LandingAreas {
 public:
  /// The segment's memory must outlive this and be as large as the shape says. Local.
  LandingAreas(SegmentView segment, const LandingShape& shape);

  [[nodiscard]] const LandingShape& shape() const noexcept { return shape_; }
  [[nodiscard]] int members() const noexcept { return segment_.members(); }
  [[nodiscard]] LandingSet& set(std::uint64_t sequence) noexcept {
    return sets_[sequence % LandingShape::sets];
  }

 private:
  SegmentView segment_;
  LandingShape shape_;
  std::vector<LandingSet> sets_;
};

}  // namespace cartwright::comm
