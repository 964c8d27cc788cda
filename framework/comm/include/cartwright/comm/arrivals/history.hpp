// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace cartwright::comm {

/// When one rank came to the calls of a site, in ns of its own clock.
class History {
 public:
  static constexpr std::size_t recent = 32;    ///< calls whose times are kept
  static constexpr std::int64_t unknown = -1;  ///< not complete yet

  /// One call.
  struct Times {
    std::int64_t arrival = 0;
    std::int64_t busy = 0;            ///< since this rank left what it called before
    std::int64_t duration = unknown;  ///< until it left this call
  };

  /// A call begins; whoever ends it says its number.
  std::uint64_t arrive(std::int64_t now, std::int64_t busy) noexcept {
    times_[calls_ % recent] = {now, busy, unknown};
    return calls_++;
  }
  /// Call `number` ends. One that has been overwritten meanwhile is left alone.
  void leave(std::uint64_t number, std::int64_t now) noexcept {
    Times& call = times_[number % recent];
    if (calls_ - number <= recent) call.duration = now - call.arrival;
  }

  [[nodiscard]] std::uint64_t calls() const noexcept { return calls_; }
  /// The last call but so many; they must have been `recent` at most.
  [[nodiscard]] const Times& back(std::size_t before_last = 0) const noexcept {
    return times_[(calls_ - 1 - before_last) % recent];
  }
  /// Busy times, the oldest first.
  [[nodiscard]] std::vector<std::int64_t> busy() const;

 private:
  std::array<Times, recent> times_{};
  std::uint64_t calls_ = 0;
};

}  // namespace cartwright::comm
