// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace cartwright::comm {

/// What a network between nodes would take: the time of an empty message, and how many bytes pass
/// in a second.
struct LinkSpeed {
  double latency = 0;    ///< s
  double bandwidth = 0;  ///< bytes/s; 0: no limit

  friend bool operator==(const LinkSpeed&, const LinkSpeed&) = default;
};

/// An imagined network between two nodes, for tests and studies: says when what is posted now would
/// be there. All that leaves a node shares its way out, and all that enters one its way in: two
/// words that the ranks of a node share.
class Link {
 public:
  /// Nanoseconds of a clock that all ranks of the host share.
  using Time = std::uint64_t;

  Link() = default;
  /// `out`, `in`: until when the way out of the sender's node and the one into the receiver's are
  /// busy; zero in the beginning, and used by all links of these nodes.
  Link(LinkSpeed speed, Time& out, Time& in);

  /// Between ranks of one node there is none.
  [[nodiscard]] explicit operator bool() const noexcept { return out_ != nullptr; }
  [[nodiscard]] static Time now() noexcept {
    return static_cast<Time>(
        std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count());
  }
  /// Takes its turn on both ways; when the last byte of so many arrives.
  [[nodiscard]] Time arrival(std::size_t bytes) const noexcept;

 private:
  Time latency_ = 0;
  double ns_per_byte_ = 0;
  Time* out_ = nullptr;
  Time* in_ = nullptr;
};

}  // namespace cartwright::comm
