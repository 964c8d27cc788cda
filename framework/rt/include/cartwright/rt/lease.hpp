// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/rt/parking.hpp>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace cartwright::rt {

/// Memory of this process, mapped; move-only.
class Mapping {
 public:
  Mapping() = default;
  /// Of a file, or (-1) of memory of its own. Empty where the system refuses.
  Mapping(int descriptor, std::size_t bytes) noexcept;
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  Mapping(Mapping&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
  Mapping& operator=(Mapping&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~Mapping();

  [[nodiscard]] std::span<std::byte> bytes() const noexcept { return bytes_; }

 private:
  std::span<std::byte> bytes_;
};

/// Memory that the ranks of a group share: a part of each, zero at first. Never moves. Given back
/// by destruction, which waits for nobody: the memory lives as long as one of them has it mapped,
/// and no longer, however they end. Move-only.
class Lease {
 public:
  Lease() = default;

  /// By rank in the group, on a multiple of 64 bytes (a page's size and larger: on a page).
  [[nodiscard]] std::span<std::byte> part(int member) const {
    return parts_[static_cast<std::size_t>(member)];
  }
  [[nodiscard]] const std::vector<std::span<std::byte>>& parts() const noexcept { return parts_; }
  [[nodiscard]] std::span<std::byte> mine() const { return part(me_); }
  /// By rank in the group: wakes it where it sleeps, if it can.
  [[nodiscard]] const std::vector<Waker>& wakers() const noexcept { return wakers_; }
  [[nodiscard]] int members() const noexcept { return static_cast<int>(parts_.size()); }
  [[nodiscard]] int me() const noexcept { return me_; }

 private:
  friend class Arena;
  Mapping mapping_;
  std::vector<std::span<std::byte>> parts_;
  std::vector<Waker> wakers_;
  std::shared_ptr<const void> promise_;
  int me_ = 0;
};

}  // namespace cartwright::rt
