// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace cartwright::comm {

/// What is written by different ranks lies this far apart.
inline constexpr std::size_t cache_line = 64;
/// So many bytes, filled up to whole lines.
[[nodiscard]] constexpr std::size_t in_lines(std::size_t bytes) noexcept {
  return (bytes + cache_line - 1) / cache_line * cache_line;
}

/// How protocols touch memory that other ranks touch too: words that are flags,
/// and data that flags announce. Tests put their own class in its place, to try
/// all interleavings. What reads and writes a word in one go gives what it was before, and orders
/// like a load and a store together.
struct SharedAccess {
  /// All that was done before a word was stored is seen by whoever loads it.
  [[nodiscard]] static std::uint64_t load(const std::uint64_t& word) noexcept {
    return std::atomic_ref<std::uint64_t>(const_cast<std::uint64_t&>(word))
        .load(std::memory_order_acquire);
  }
  static void store(std::uint64_t& word, std::uint64_t value) noexcept {
    std::atomic_ref<std::uint64_t>(word).store(value, std::memory_order_release);
  }
  static std::uint64_t fetch_add(std::uint64_t& word, std::uint64_t value) noexcept {
    return std::atomic_ref<std::uint64_t>(word).fetch_add(value, std::memory_order_acq_rel);
  }
  static std::uint64_t fetch_or(std::uint64_t& word, std::uint64_t bits) noexcept {
    return std::atomic_ref<std::uint64_t>(word).fetch_or(bits, std::memory_order_acq_rel);
  }
  static std::uint64_t exchange(std::uint64_t& word, std::uint64_t value) noexcept {
    return std::atomic_ref<std::uint64_t>(word).exchange(value, std::memory_order_acq_rel);
  }
  /// Stores `desired` where the word still is `expected`; else `expected` becomes what it is.
  static bool compare_exchange(std::uint64_t& word, std::uint64_t& expected,
                               std::uint64_t desired) noexcept {
    return std::atomic_ref<std::uint64_t>(word).compare_exchange_strong(
        expected, desired, std::memory_order_acq_rel, std::memory_order_acquire);
  }
  static void copy(std::byte* to, const std::byte* from, std::size_t bytes) noexcept {
    if (bytes == 8)
      std::memcpy(to, from, 8);  // one instruction
    else if (bytes > 0)
      std::memcpy(to, from, bytes);
  }
};

/// A counter in a cache line of its own. It only grows: nothing is ever
/// cleared, so nobody can miss a value by being late.
struct alignas(cache_line) SharedCounter {
  std::uint64_t value = 0;
};

}  // namespace cartwright::comm
