// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/transport/peer_memory.hpp>
#include <cartwright/rt/parking.hpp>
#include <cstddef>
#include <span>
#include <vector>

namespace cartwright::comm {

/// Memory that some ranks of one node share, as one of them sees it: a part of
/// each member, whose flags are zero before anybody gets to see them. Members may be processes,
/// or threads of one.
struct SegmentView {
  std::vector<std::span<std::byte>> parts;  ///< by member, each on a multiple of 64 bytes
  int me = 0;
  /// How each member's own memory is read; empty where the system doesn't allow
  /// it.
  std::vector<PeerMemory> memories{};
  /// How each member is woken where it sleeps; empty where that can't be.
  std::vector<rt::Waker> wakers{};

  [[nodiscard]] int members() const { return static_cast<int>(parts.size()); }
  [[nodiscard]] rt::Waker waker(int member) const {
    return wakers.empty() ? rt::Waker() : wakers[static_cast<std::size_t>(member)];
  }

  /// The view of some members (numbers in this view, this rank's own among
  /// them), restricted to `bytes` from `offset` on in the part of each.
  [[nodiscard]] SegmentView restricted(std::span<const int> members, std::size_t offset,
                                       std::size_t bytes) const;
};

}  // namespace cartwright::comm
