// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cartwright/rt/silence.hpp>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace cartwright::rt {

/// What a rank's watcher tells those of its node, in memory that they share. Zero at first; only
/// that watcher writes, so that words of the same moment aren't needed: a wait that matters lasts.
class alignas(64) WatchSlot {
 public:
  /// One more sign of life.
  void tell(const Activity& activity) noexcept {
    const std::uint32_t kind =
        activity.only_waits ? only_waits : static_cast<std::uint32_t>(activity.kind);
    kind_.store(activity.has_left ? left : kind, std::memory_order_relaxed);
    milliseconds_.store(static_cast<std::uint64_t>(activity.seconds * 1e3),
                        std::memory_order_relaxed);
    write(activity.where);
    beat_.fetch_add(1, std::memory_order_release);
  }
  /// So often it has told something.
  [[nodiscard]] std::uint64_t beat() const noexcept {
    return beat_.load(std::memory_order_acquire);
  }
  [[nodiscard]] Activity activity() const {
    const std::uint32_t kind = kind_.load(std::memory_order_relaxed);
    Activity activity;
    activity.has_left = kind == left;
    activity.only_waits = kind == only_waits;
    if (kind < left) activity.kind = static_cast<WaitKind>(kind);
    if (activity.only_waits) activity.kind = WaitKind::files;
    activity.seconds = 1e-3 * static_cast<double>(milliseconds_.load(std::memory_order_relaxed));
    activity.where = read();
    return activity;
  }

  /// The whole node: somebody has decided that the run ends.
  std::atomic<std::uint32_t> ended{0};
  /// The whole node: who raises it from 0 speaks.
  std::atomic<std::uint32_t> claimed{0};

 private:
  static constexpr std::uint32_t left = 4;
  static constexpr std::uint32_t only_waits = 5;
  static constexpr std::size_t words = 10;

  void write(std::string_view text) noexcept {
    std::array<std::uint64_t, words> copy{};
    std::memcpy(copy.data(), text.data(), std::min(text.size(), sizeof copy));
    for (std::size_t i = 0; i < words; ++i) text_[i].store(copy[i], std::memory_order_relaxed);
  }
  [[nodiscard]] std::string read() const {
    std::array<char, words * sizeof(std::uint64_t) + 1> copy{};
    for (std::size_t i = 0; i < words; ++i) {
      const std::uint64_t word = text_[i].load(std::memory_order_relaxed);
      std::memcpy(copy.data() + i * sizeof word, &word, sizeof word);
    }
    return copy.data();
  }

  std::atomic<std::uint64_t> beat_{0};
  std::atomic<std::uint64_t> milliseconds_{0};
  std::atomic<std::uint32_t> kind_{0};
  std::array<std::atomic<std::uint64_t>, words> text_{};
};

}  // namespace cartwright::rt
