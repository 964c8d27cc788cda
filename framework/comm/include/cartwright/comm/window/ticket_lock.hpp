// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/transport/shared_access.hpp>
#include <cstdint>

namespace cartwright::comm {

/// How a rank holds the memory of another one.
enum class Lock : std::uint8_t { shared, exclusive };

/// The words of a lock, in memory of the rank that is locked. They only grow.
struct alignas(cache_line) LockWords {
  std::uint64_t next = 0;     ///< ticket of who asks next
  std::uint64_t reading = 0;  ///< tickets below it have entered, or were exclusive and have left
  std::uint64_t writing = 0;  ///< so many have left
};

/// First come, first served: who asks shared behind somebody who waits for it exclusively waits,
/// too. All words change by fetch_add: an exclusive holder leaves while a shared one that comes
/// behind it already counts itself in and out.
template <class Access = SharedAccess>
class TicketLock {
 public:
  explicit TicketLock(LockWords& words) : words_(&words) {}

  [[nodiscard]] std::uint64_t take() const { return Access::fetch_add(words_->next, 1); }
  /// Whether it is the ticket's turn. Once true, not asked again.
  [[nodiscard]] bool enter(std::uint64_t ticket, Lock kind) const {
    if (kind == Lock::exclusive) return Access::load(words_->writing) == ticket;
    if (Access::load(words_->reading) != ticket) return false;
    (void)Access::fetch_add(words_->reading, 1);
    return true;
  }
  void leave(Lock kind) const {
    if (kind == Lock::exclusive) (void)Access::fetch_add(words_->reading, 1);
    (void)Access::fetch_add(words_->writing, 1);
  }
  /// Nobody holds it or waits for it.
  [[nodiscard]] bool is_free() const {
    const std::uint64_t left = Access::load(words_->writing);
    return Access::load(words_->next) == left;
  }

 private:
  LockWords* words_;
};

}  // namespace cartwright::comm
