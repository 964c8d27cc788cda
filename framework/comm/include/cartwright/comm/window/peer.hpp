// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cartwright/comm/window/epoch.hpp>
#include <cartwright/comm/window/shared_block.hpp>
#include <cartwright/comm/window/side_queue.hpp>
#include <cartwright/rt/parking.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace cartwright::comm {

/// What a rank knows of another one and of its window.
struct Peer {
  enum class Hold : std::uint8_t { none, waiting, held };

  plan::Count elements = 0;  ///< of its window
  SharedBlock block;         ///< none: records go there
  int member = 0;            ///< its number among those that share memory
  rt::Waker waker;           ///< for what is stored there
  // As origins and targets of each other: epochs opened here, and those heard of.
  std::uint64_t accesses = 0, exposures = 0, locks = 0;
  std::uint64_t accesses_sent = 0;   ///< as records, by me
  std::uint64_t accesses_asked = 0;  ///< whether they are carried out there
  std::uint64_t accesses_known = 0;  ///< they are
  std::uint64_t exposed = 0;         ///< exposures that are active, or were
  std::uint64_t exposes = 0;         ///< … there, for me, as far as it has said
  std::uint64_t in_fence = 0;        ///< the last fence that it says it is in
  std::uint64_t lock_held = 0;       ///< the last of my locks there that it says is held
  std::uint64_t accesses_done = 0, fences_done = 0, unlocked = 0;
  std::uint64_t operations_sent = 0, operations_done = 0;
  std::uint64_t bytes_sent = 0, bytes_credited = 0;  ///< by me, there
  std::uint64_t pushes = 0;       ///< epochs sent as records, though there is shared memory
  std::uint64_t pushes_done = 0;  ///< … of its
  std::uint64_t bytes_done = 0, bytes_reported = 0;  ///< by it, here
  SideQueue turns;                                   ///< who sends there, one after the other
  std::array<SideQueue, 3> unanswered;  ///< sides that wait for what it says, by EpochClass
  bool is_watched = false;              ///< has sides in these queues
  // What it has pushed and isn't ready yet; from `held_begin` on.
  std::vector<std::byte> held;
  std::size_t held_begin = 0;
  std::uint32_t transfers = 0;  ///< long messages of its operations
  Hold lock_stage = Hold::none;
  Lock lock = Lock::shared;
  bool goes_past_queue = false;
  std::uint64_t lock_id = 0, ticket = 0;
  std::uint64_t locks_freed = 0;  ///< here, of those that follow another rank's: may begin

  [[nodiscard]] bool has_sides() const noexcept {
    return !turns.is_empty() || std::ranges::any_of(unanswered, [](const SideQueue& queue) {
      return !queue.is_empty();
    });
  }
};

}  // namespace cartwright::comm
