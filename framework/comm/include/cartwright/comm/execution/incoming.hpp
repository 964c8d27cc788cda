// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/elements/reduction.hpp>
#include <cartwright/comm/transport/path.hpp>
#include <cartwright/rt/aligned_memory.hpp>
#include <cstddef>
#include <cstdint>

namespace cartwright::comm {

/// Where a message goes. With a reduction: target = received ∘ source, or
/// source ∘ received.
struct Landing {
  std::byte* target = nullptr;
  std::size_t bytes = 0;
  const std::byte* source = nullptr;
  const Reduction* reduction = nullptr;
  bool received_is_left = false;
};

/// Takes in messages that come in pieces, one message after the other. Data go
/// from where the sender has put them to where they belong, or into the
/// operator, without a copy in between.
class Incoming {
 public:
  explicit Incoming(std::size_t element_size) : element_size_(element_size) {}

  [[nodiscard]] bool is_between_messages() const noexcept { return received_ == 0; }
  /// Pieces taken.
  [[nodiscard]] std::uint64_t moves() const noexcept { return moves_; }

  /// Takes what has come of the message; true when that was all. Throws
  /// internal_failure if the sender, member `from`, takes it for longer or shorter than the
  /// landing is.
  [[nodiscard]] bool take(Path& path, int from, const Landing& landing);
  /// The next bytes of the message, wherever they lie; together as many as the landing is long.
  void take_part(const std::byte* data, std::size_t bytes, const Landing& landing) {
    take_piece(data, bytes, landing);
    ++moves_;
    if (received_ == landing.bytes) received_ = combined_ = 0;
  }

 private:
  void take_piece(const std::byte* data, std::size_t bytes, const Landing& landing);
  void take_direct(const Path& path, int from, const Landing& landing);
  void combine(const std::byte* data, std::size_t bytes, const Landing& landing);
  void apply(const std::byte* data, std::size_t elements, const Landing& landing);
  [[nodiscard]] bool is_aligned(const std::byte* data) const noexcept;

  // Fits into a second-level cache; smaller reads cost more calls of the system.
  static constexpr std::size_t bounce_bytes = 256 << 10;
  static std::byte* reserve(rt::AlignedMemory& memory, std::size_t bytes);

  std::size_t element_size_;
  std::uint64_t moves_ = 0;
  std::size_t received_ = 0;  // bytes of the present message
  std::size_t combined_ = 0;  // of these
  std::size_t carried_ = 0;   // of the others, in `element_`: the beginning of an element
  rt::AlignedMemory element_;
  rt::AlignedMemory bounce_;
};

}  // namespace cartwright::comm
