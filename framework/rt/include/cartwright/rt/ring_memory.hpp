// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <utility>

namespace cartwright::rt {

/// Memory of this process that begins again where it ends: the same pages are mapped twice, one
/// behind the other, so that whatever begins in the first half and is no longer than bytes() lies
/// in one piece. Zeros at first. Move-only.
class RingMemory {
 public:
  RingMemory() = default;
  /// Empty where the system refuses. `bytes`: a multiple of granularity().
  [[nodiscard]] static RingMemory make(std::size_t bytes) noexcept;
  /// Bytes of a page.
  [[nodiscard]] static std::size_t granularity() noexcept;

  RingMemory(const RingMemory&) = delete;
  RingMemory& operator=(const RingMemory&) = delete;
  RingMemory(RingMemory&& other) noexcept { swap(other); }
  RingMemory& operator=(RingMemory&& other) noexcept {
    swap(other);
    return *this;
  }
  ~RingMemory();

  explicit operator bool() const noexcept { return memory_ != nullptr; }
  /// The first of 2 * bytes().
  [[nodiscard]] std::byte* data() const noexcept { return memory_; }
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }

 private:
  void swap(RingMemory& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(bytes_, other.bytes_);
  }

  std::byte* memory_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace cartwright::rt
