// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/transport/shared_access.hpp>
#include <cartwright/comm/window/ticket_lock.hpp>
#include <cstddef>
#include <cstdint>
#include <span>

namespace cartwright::comm {

/// What the owner of a window's memory says to all on its node.
struct alignas(cache_line) OwnerLine {
  std::uint64_t fence = 0;  ///< the fences that have been active so far
};
/// … and to one of them.
struct alignas(cache_line) GrantLine {
  std::uint64_t exposures = 0;  ///< that have been active for it
  std::uint64_t pushes = 0;     ///< of its epochs came as records, and have been carried out
};
/// What that one says to the owner. Whoever sees a number sees what was written before.
struct alignas(cache_line) DoneLine {
  std::uint64_t accesses = 0;  ///< epochs whose operations are all carried out
  std::uint64_t fences = 0;
};
struct alignas(cache_line) GuardLine {
  std::uint64_t word = 0;  ///< of updates that are wider than a word
};

/// A rank's part of a window that lies in memory shared by the ranks of a node: words of the
/// protocol, each line written by one rank, and then the data. Zero in the beginning. Its ranks
/// may be threads, too.
class SharedBlock {
 public:
  SharedBlock() = default;
  SharedBlock(std::byte* part, int members) : part_(part), members_(members) {}

  [[nodiscard]] static constexpr std::size_t bytes(int members, std::size_t data) {
    return data_begin(members) + data;
  }
  explicit operator bool() const noexcept { return part_ != nullptr; }

  [[nodiscard]] OwnerLine& owner() const { return at<OwnerLine>(0); }
  [[nodiscard]] LockWords& lock() const { return at<LockWords>(1); }
  [[nodiscard]] GuardLine& guard() const { return at<GuardLine>(2); }
  /// Which the owner writes, and member `member` reads; and the other way round.
  [[nodiscard]] GrantLine& grant(int member) const { return at<GrantLine>(3 + 2 * member); }
  [[nodiscard]] DoneLine& done(int member) const { return at<DoneLine>(4 + 2 * member); }
  [[nodiscard]] std::byte* data() const { return part_ + data_begin(members_); }

 private:
  [[nodiscard]] static constexpr std::size_t data_begin(int members) {
    return (3 + 2 * static_cast<std::size_t>(members)) * cache_line;
  }
  template <class Line>
  [[nodiscard]] Line& at(int line) const {
    static_assert(sizeof(Line) == cache_line);
    return *reinterpret_cast<Line*>(part_ + static_cast<std::size_t>(line) * cache_line);
  }

  std::byte* part_ = nullptr;
  int members_ = 0;
};

}  // namespace cartwright::comm
