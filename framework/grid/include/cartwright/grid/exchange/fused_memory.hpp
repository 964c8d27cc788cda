// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/rt/ring_memory.hpp>
#include <cstddef>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace cartwright::grid {

/// What fused steps keep of their values: rings of memory, made when first needed and reused.
class FusedMemory {
 public:
  /// `per_thread` rings of so many bytes for each thread; none where the system refuses.
  [[nodiscard]] std::span<const rt::RingMemory> rings(int threads, int per_thread,
                                                      std::size_t bytes) {
    const std::size_t wanted =
        static_cast<std::size_t>(threads) * static_cast<std::size_t>(per_thread);
    // They must be of that size, not larger: they begin again where they end.
    std::vector<rt::RingMemory>& rings = rings_[bytes];
    while (rings.size() < wanted) {
      rt::RingMemory ring = rt::RingMemory::make(bytes);
      if (!ring) return {};
      rings.push_back(std::move(ring));
    }
    return std::span(rings).first(wanted);
  }

 private:
  std::map<std::size_t, std::vector<rt::RingMemory>> rings_;  // by bytes: turns differ in length
};

}  // namespace cartwright::grid
