// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/transport/shared_access.hpp>
#include <cstdint>

namespace cartwright::comm {

/// How a rank holds the memory of another one.
enum class Lock : std::uint8_t { shared, exclusive };

/// The words of a lock, in memory of the rank that is locked.
struct alignas(cache_line) LockWords {
  std::uint64_t next = 0;     ///< ticket of who asks next
  std::uint64_t serving = 0;  ///< the ticket whose turn it is
  std::uint64_t holders = 0;  ///< so many share it; TicketLock::alone: one has it alone
};

/// First come, first served: who asks shared behind somebody who waits for it exclusively waits,
/// too. Turns are one thing and holding another, so that who holds shared locks of many ranks
/// (lock_all) may go past those that wait: else two such and two that wait exclusively could wait
/// for each other in a circle.
template <class Access = SharedAccess>
class TicketLock {
 public:
  static constexpr std::uint64_t alone = std::uint64_t{1} << 63U;

  explicit TicketLock(LockWords& words) : words_(&words) {}

  [[nodiscard]] std::uint64_t take() const { return Access::fetch_add(words_->next, 1); }
  /// Without a ticket, where nobody holds it or waits for it. Who takes one between the two looks
  /// has asked at the same time.
  [[nodiscard]] bool try_enter(Lock kind) const { return !is_awaited() && hold(kind); }
  /// Whether it is the ticket's turn and nobody is in the way. Once true, not asked again.
  [[nodiscard]] bool enter(std::uint64_t ticket, Lock kind) const {
    if (Access::load(words_->serving) != ticket || !hold(kind)) return false;
    (void)Access::fetch_add(words_->serving, 1);
    return true;
  }
  /// Shared, without a ticket: only who holds it alone is in the way.
  [[nodiscard]] bool enter_past_queue() const { return hold(Lock::shared); }
  void leave(Lock kind) const {
    if (kind == Lock::exclusive)
      Access::store(words_->holders, 0);  // nobody else changes it meanwhile: see `hold`
    else
      (void)Access::fetch_add(words_->holders, ~std::uint64_t{0});
  }
  /// Somebody has a ticket whose turn it isn't yet, or who finds others in the way.
  [[nodiscard]] bool is_awaited() const {
    return Access::load(words_->serving) != Access::load(words_->next);
  }
  /// Nobody holds it or waits for it.
  [[nodiscard]] bool is_free() const { return Access::load(words_->holders) == 0 && !is_awaited(); }

 private:
  [[nodiscard]] bool hold(Lock kind) const {
    std::uint64_t holders = Access::load(words_->holders);
    if (kind == Lock::exclusive)
      return holders == 0 && Access::compare_exchange(words_->holders, holders, alone);
    while (holders != alone)
      if (Access::compare_exchange(words_->holders, holders, holders + 1)) return true;
    return false;
  }

  LockWords* words_;
};

}  // namespace cartwright::comm
