// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/program.hpp>
#include <cartwright/rt/aligned_memory.hpp>
#include <cstddef>
#include <functional>
#include <vector>

namespace cartwright::comm {

/// A receive of a program, and how early it may be posted: once the steps before `from_step` and
/// our first `after_sends` sends are complete.
struct P2pReceive {
  static constexpr std::size_t no_combination = ~std::size_t{0};

  std::size_t step = 0;
  std::size_t from_step = 0;
  std::size_t after_sends = 0;
  /// Number among those that land in memory of their own to be combined.
  std::size_t combination = no_combination;

  [[nodiscard]] bool has_landing() const { return combination != no_combination; }
};

/// What a program has for us, where `serves` tells whose messages are ours (null: everybody's).
struct P2pPlan {
  std::vector<P2pReceive> receives;    ///< in the program's order
  std::vector<std::size_t> own_sends;  ///< ours among the first n; empty if all are
  std::size_t sends = 0;               ///< ours
  std::size_t largest_operand = 0;     ///< bytes of a receive with a landing
  std::size_t combinations = 0;
};
[[nodiscard]] P2pPlan p2p_plan(const plan::Program& program, std::size_t element_size,
                               const std::function<bool(int peer)>& serves);

/// Memory in which operands land before they are combined: several, which take turns.
class P2pLanding {
 public:
  P2pLanding() = default;
  P2pLanding(std::size_t places, std::size_t bytes_each);

  [[nodiscard]] std::size_t places() const noexcept { return places_; }
  [[nodiscard]] std::byte* at(std::size_t combination) const noexcept {
    return memory_.get() + combination % places_ * pitch_;
  }
  /// Never frees the memory: something may still arrive there.
  void abandon() noexcept { (void)memory_.release(); }

 private:
  std::size_t places_ = 1;
  std::size_t pitch_ = 0;
  rt::AlignedMemory memory_;
};

}  // namespace cartwright::comm
