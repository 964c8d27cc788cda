// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/transport/shared_access.hpp>
#include <cstddef>
#include <cstdint>
#include <span>

namespace cartwright::comm {

/// Who has something for one member: a bit for each of the others. Whoever has posted something
/// rings; the owner looks at some words instead of at the paths of everybody. Nothing is missed:
/// who rings while the owner answers is found now or the next time.
template <class Access = SharedAccess>
class Doorbell {
 public:
  /// 64-bit words for so many members.
  [[nodiscard]] static constexpr std::size_t words(int members) {
    return (static_cast<std::size_t>(members) + 63) / 64;
  }

  Doorbell() = default;
  /// `bits`: words(members) of them, zero in the beginning.
  explicit Doorbell(std::span<std::uint64_t> bits) : bits_(bits) {}

  /// By the member of that number, after it has posted.
  void ring(int member) const {
    const auto at = static_cast<std::size_t>(member);
    (void)Access::fetch_or(bits_[at / 64], std::uint64_t{1} << at % 64);
  }

  /// By the owner: calls `look(member)` for everybody that has rung since the last time.
  template <class Look>
  void answer(Look&& look) const {
    for (std::size_t word = 0; word < bits_.size(); ++word) {
      if (Access::load(bits_[word]) == 0) continue;  // a line that nobody has touched stays here
      for (std::uint64_t bits = Access::exchange(bits_[word], 0); bits != 0; bits &= bits - 1)
        look(static_cast<int>(word * 64) + __builtin_ctzll(bits));
    }
  }

 private:
  std::span<std::uint64_t> bits_;
};

}  // namespace cartwright::comm
