// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/transport/copy_thresholds.hpp>
#include <cartwright/comm/transport/doorbell.hpp>
#include <cartwright/comm/transport/ring.hpp>
#include <cstddef>
#include <cstdint>

namespace cartwright::comm {

/// How large the mailboxes of a communicator are: the same on all its members.
struct MailboxShape {
  int members = 1;  ///< there is room for so many; fewer may use it
  int lanes = 4;    ///< collectives of the communicator in flight at the same
                    ///< time: a power of two
  /// Of each ring: a power of two. Going through more lines than eight costs
  /// twice the time here.
  std::uint32_t entries = 8;
  std::size_t staging = 512 << 10;  ///< bytes per member and lane, a multiple of 64
  std::size_t slot = 64 << 10;      ///< more of it, that each receiver has to itself; likewise
  std::size_t fragment = 64 << 10;  ///< messages are staged in pieces of at most so many bytes
  CopyThresholds copies{};
  bool has_links = false;  ///< entries have times at which they arrive (see Link)

  /// The usual shape, made smaller where a member's part would exceed `bytes`. Throws input_error
  /// if even the smallest would.
  [[nodiscard]] static MailboxShape within(std::size_t bytes, int members,
                                           const CopyThresholds& copies = {});

  /// What it takes of each member's part of the segment.
  [[nodiscard]] std::size_t bytes_per_member() const noexcept { return staging_begin(lanes); }

  // Offsets in the part of a receiver …
  [[nodiscard]] std::size_t ring_begin(int lane, int sender) const noexcept {
    return path(lane, sender) * entries * sizeof(Entry);
  }
  [[nodiscard]] std::size_t taken_begin(int lane, int sender) const noexcept {
    return paths() * entries * sizeof(Entry) + path(lane, sender) * sizeof(SharedCounter);
  }
  [[nodiscard]] std::size_t times_begin(int lane, int sender) const noexcept {
    return taken_begin(lanes, 0) + path(lane, sender) * time_bytes();
  }
  [[nodiscard]] std::size_t bell_begin(int lane) const noexcept {
    return times_begin(lanes, 0) + static_cast<std::size_t>(lane) * bell_bytes();
  }
  // … and of a sender: a lane's staging memory, then the slots, by receiver.
  [[nodiscard]] std::size_t staging_begin(int lane = 0) const noexcept {
    return bell_begin(lanes) +
           static_cast<std::size_t>(lane) * (staging + static_cast<std::size_t>(members) * slot);
  }

 private:
  [[nodiscard]] std::size_t path(int lane, int sender) const noexcept {
    return static_cast<std::size_t>(lane) * static_cast<std::size_t>(members) +
           static_cast<std::size_t>(sender);
  }
  [[nodiscard]] std::size_t paths() const noexcept { return path(lanes, 0); }
  [[nodiscard]] std::size_t time_bytes() const noexcept {
    return has_links ? in_lines(entries * sizeof(std::uint64_t)) : 0;
  }
  [[nodiscard]] std::size_t bell_bytes() const noexcept {
    return in_lines(Doorbell<>::words(members) * sizeof(std::uint64_t));
  }
};

}  // namespace cartwright::comm
