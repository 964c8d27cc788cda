// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/transport/shared_access.hpp>
#include <cstddef>
#include <cstdint>

namespace cartwright::comm {

/// A message travels in pieces, each announced by one entry of a ring.
enum class PieceKind : std::uint8_t {
  inside,  ///< the data lie in the entry
  staged,  ///< the entry tells where they lie in the sender's part of the
           ///< segment
  direct,  ///< the entry tells where they lie in the sender's own memory
};

struct Piece {
  PieceKind kind = PieceKind::inside;
  bool last = true;          ///< of its message
  std::uint32_t length = 0;  ///< bytes, less than 2^24; direct: the entry tells
};

/// What an entry holds for data that are read from the sender's memory.
struct DirectPiece {
  std::uint64_t address = 0;  ///< there
  std::uint64_t bytes = 0;
};

/// One cache line: a small message costs the transfer of this line and of
/// nothing else. `word` holds the entry's number, from 1 on, in its upper half;
/// so an old entry is never taken for a new one.
struct alignas(cache_line) Entry {
  static constexpr std::size_t capacity = 56;

  std::byte data[capacity]{};
  std::uint64_t word = 0;

  [[nodiscard]] static constexpr std::uint64_t pack(std::uint64_t number, Piece piece) noexcept {
    return number << 32U | std::uint64_t{piece.last} << 31U |
           static_cast<std::uint64_t>(piece.kind) << 24U | piece.length;
  }
  [[nodiscard]] static constexpr Piece unpack(std::uint64_t word) noexcept {
    return {static_cast<PieceKind>(word >> 24U & 0x7FU), (word >> 31U & 1U) != 0,
            static_cast<std::uint32_t>(word & 0xFFFFFFU)};
  }
};
inline constexpr std::uint32_t largest_piece = (1U << 24U) - 1;

/// The writing end of a ring of entries that lies in the reader's part of the
/// segment. The reader counts in `taken` how many entries it has done with.
template <class Access = SharedAccess>
class RingWriter {
 public:
  RingWriter() = default;
  /// `size` is a power of two.
  RingWriter(Entry* entries, const SharedCounter* taken, std::uint32_t size)
      : entries_(entries), taken_(taken), size_(size) {}

  /// Without looking at what the reader has done since the last look.
  [[nodiscard]] bool has_known_room() const { return posted_ - seen_ < size_; }
  /// How many entries the reader has done with by now.
  std::uint64_t look() {
    if (seen_ != posted_) seen_ = Access::load(taken_->value);
    return seen_;
  }
  [[nodiscard]] std::uint64_t posted() const { return posted_; }
  [[nodiscard]] std::uint64_t seen() const { return seen_; }
  [[nodiscard]] std::uint32_t place(std::uint64_t number) const {
    return static_cast<std::uint32_t>(number) & (size_ - 1);
  }

  /// Only where there is room.
  void post(Piece piece, const std::byte* data, std::size_t bytes) {
    Entry& entry = entries_[place(posted_)];
    Access::copy(entry.data, data, bytes);
    Access::store(entry.word, Entry::pack(++posted_, piece));
    if (posted_ - seen_ + 2 == size_) __builtin_prefetch(taken_);  // for the look that is due soon
  }

 private:
  Entry* entries_ = nullptr;
  const SharedCounter* taken_ = nullptr;
  std::uint32_t size_ = 0;
  std::uint64_t posted_ = 0;
  std::uint64_t seen_ = 0;
};

/// The reading end.
template <class Access = SharedAccess>
class RingReader {
 public:
  RingReader() = default;
  RingReader(const Entry* entries, SharedCounter* taken, std::uint32_t size)
      : entries_(entries), taken_(taken), size_(size) {}

  /// Whether the next entry has come; then `piece` tells what it is.
  [[nodiscard]] bool peek(Piece& piece) const {
    const std::uint64_t word = Access::load(next().word);
    if (static_cast<std::uint32_t>(word >> 32U) != static_cast<std::uint32_t>(count_ + 1))
      return false;
    piece = Entry::unpack(word);
    return true;
  }
  /// What the next entry holds, once it has come.
  [[nodiscard]] const std::byte* data() const { return next().data; }
  [[nodiscard]] PieceKind kind() const { return Entry::unpack(next().word).kind; }
  [[nodiscard]] std::uint32_t place() const {
    return static_cast<std::uint32_t>(count_) & (size_ - 1);
  }
  /// The sender may use the entry again, and what it points to.
  void pop() { Access::store(taken_->value, ++count_); }

 private:
  [[nodiscard]] const Entry& next() const { return entries_[place()]; }

  const Entry* entries_ = nullptr;
  SharedCounter* taken_ = nullptr;
  std::uint32_t size_ = 0;
  std::uint64_t count_ = 0;
};

}  // namespace cartwright::comm
