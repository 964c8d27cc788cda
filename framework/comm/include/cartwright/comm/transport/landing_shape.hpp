// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/transport/ring.hpp>
#include <cstddef>
#include <cstdint>

namespace cartwright::comm {

/// How large the landing areas of a communicator are: the same on all its members.
struct LandingShape {
  /// Calls in flight at the same time: by the parity of their number.
  static constexpr int sets = 2;
  /// Of a set, for long messages: one that is read, and one that is written meanwhile.
  static constexpr std::uint64_t chunks = 2;

  int members = 1;               ///< there is room for so many; fewer may use it
  std::uint32_t places = 8;      ///< for short messages of one sender: a power of two
  std::size_t eager = 4 << 10;   ///< bytes of each, a multiple of 64: longer messages are long
  std::size_t chunk = 64 << 10;  ///< long messages land in pieces of so many bytes; likewise

  /// The usual shape, made smaller where a member's part would exceed `bytes`. Throws input_error
  /// if even the smallest would.
  [[nodiscard]] static LandingShape within(std::size_t bytes, int members);

  // Offsets in the part of a receiver: entries and bytes of what a sender puts there…
  [[nodiscard]] std::size_t entries_begin(int set, int sender) const noexcept {
    return pair(set, sender) * places * sizeof(Entry);
  }
  [[nodiscard]] std::size_t eager_begin(int set, int sender) const noexcept {
    return entries_begin(sets, 0) + pair(set, sender) * places * eager;
  }
  // …how much of that it has taken: the sender's credit…
  [[nodiscard]] std::size_t taken_begin(int set, int sender) const noexcept {
    return eager_begin(sets, 0) + pair(set, sender) * cache_line;
  }
  // …the chunks of all senders, and how often each was filled…
  [[nodiscard]] std::size_t filled_begin(int set, std::uint64_t chunk_number) const noexcept {
    return taken_begin(sets, 0) + place(set, chunk_number) * cache_line;
  }
  [[nodiscard]] std::size_t chunk_begin(int set, std::uint64_t chunk_number) const noexcept {
    return filled_begin(sets, 0) + place(set, chunk_number) * chunk;
  }
  // …and in the part of a sender: what a receiver grants it.
  [[nodiscard]] std::size_t grant_begin(int set, int receiver) const noexcept {
    return chunk_begin(sets, 0) + pair(set, receiver) * cache_line;
  }
  /// What it takes of each member's part of the segment.
  [[nodiscard]] std::size_t bytes_per_member() const noexcept { return grant_begin(sets, 0); }

 private:
  [[nodiscard]] std::size_t pair(int set, int other) const noexcept {
    return static_cast<std::size_t>(set) * static_cast<std::size_t>(members) +
           static_cast<std::size_t>(other);
  }
  [[nodiscard]] static std::size_t place(int set, std::uint64_t number) noexcept {
    return static_cast<std::size_t>(set) * chunks + number % chunks;
  }
};

}  // namespace cartwright::comm
