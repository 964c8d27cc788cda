// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/transport/shared_access.hpp>
#include <cstdint>

namespace cartwright::comm {

/// From the memory of one rank to that of another one of its node, once an exchange: whoever of the
/// two comes to it first when both have begun copies, and says when it is done. So nobody waits for
/// a neighbour that computes: who finds it ready reads from it, and writes to it as well if that
/// hasn't been done. Exchanges are counted from 1 on, and the words only grow.
template <class Access = SharedAccess>
struct alignas(cache_line) DirectWay {
  std::uint64_t claimed = 0;
  std::uint64_t done = 0;

  [[nodiscard]] bool is_claimed(std::uint64_t exchange) const {
    return Access::load(claimed) >= exchange;
  }
  [[nodiscard]] bool is_done(std::uint64_t exchange) const {
    return Access::load(done) >= exchange;
  }
  /// True for one of the two: it has to copy, and to call `finish`.
  [[nodiscard]] bool claim(std::uint64_t exchange) {
    std::uint64_t before = Access::load(claimed);
    return before < exchange && Access::compare_exchange(claimed, before, exchange);
  }
  void finish(std::uint64_t exchange) { Access::store(done, exchange); }
};

/// What a rank says of its memory in an exchange; a description follows.
struct alignas(cache_line) DirectPlace {
  std::uint64_t exchange = 0;  ///< written last
  std::uint64_t is_open = 0;   ///< others may read and write there; else this rank sends messages
};

}  // namespace cartwright::comm
