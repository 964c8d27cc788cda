// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/transport/link.hpp>
#include <cartwright/comm/transport/peer_memory.hpp>
#include <cartwright/comm/transport/ring.hpp>
#include <cartwright/comm/transport/staging.hpp>
#include <cartwright/rt/parking.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace cartwright::comm {

/// Memory of a sender in which pieces wait for those that read them; blocks of it may be read by
/// several receivers.
struct StagingMemory {
  Staging blocks;
  std::byte* memory = nullptr;
  std::size_t begin = 0;  ///< of it, in the sender's part of the segment
};

/// The way to another rank of the node and back: messages in pieces, in order. It knows neither
/// what they mean nor how long they are: a receiver sees piece after piece, and which is the last
/// of a message.
class Path {
 public:
  struct Ends {
    RingWriter<> out;
    RingReader<> in;
    const std::byte* their_part = nullptr;     ///< of the segment: there lies what they stage
    const PeerMemory* their_memory = nullptr;  ///< null: not readable
    std::size_t slot = 0;                      ///< where theirs begins in my staging memory
    std::uint32_t entries = 0;
    rt::Waker waker;  ///< of the other one
    // Where there is a link in between: when each entry arrives.
    const Link* link = nullptr;
    std::uint64_t* out_times = nullptr;
    const std::uint64_t* in_times = nullptr;
  };

  /// `staging` must outlive this.
  Path(const Ends& ends, StagingMemory& staging)
      : ends_(ends), staging_(&staging), blocks_(ends.entries, Staging::none) {}

  // --- Writing.

  [[nodiscard]] bool has_room() {
    if (ends_.out.has_known_room()) return true;
    look();
    return ends_.out.has_known_room();
  }
  /// Nothing that was posted waits to be read.
  [[nodiscard]] bool is_drained() {
    look();
    return ends_.out.seen() == ends_.out.posted();
  }
  /// Number of the pieces posted so far, and of those that the reader has done with.
  [[nodiscard]] std::uint64_t posted() const { return ends_.out.posted(); }
  [[nodiscard]] std::uint64_t done_with() {
    look();
    return ends_.out.seen();
  }
  /// Finds out what the reader has done with, and frees what it had to read.
  void look();

  // Only where there is room. Inside: at most Entry::capacity bytes.
  void post_inside(const std::byte* data, std::size_t bytes, bool last) {
    post({PieceKind::inside, last, static_cast<std::uint32_t>(bytes)}, data, bytes, bytes);
  }
  void post_staged(Staging::Block block, std::size_t bytes, bool last);
  /// A whole message that lies in my part of the segment already, `offset` bytes behind the begin
  /// of the staging memory; it must stay as it is until the piece is done with. Of any length: a
  /// piece tells up to largest_piece bytes.
  void post_in_place(std::size_t offset, std::size_t bytes) {
    announce(offset, bytes, true, Staging::none);
  }
  /// Read from this rank's own memory, which must stay as it is until the piece is done with.
  void post_direct(const std::byte* data, std::size_t bytes);
  /// At most as much as fits into the slot, and only when this is drained: the slot is the
  /// receiver's own, so that it always gets on, whatever else waits in the staging memory.
  void post_in_slot(const std::byte* data, std::size_t bytes, bool last);

  // --- Reading.

  /// Whether the next piece has come; then `piece` tells what it is.
  [[nodiscard]] bool peek(Piece& piece) const {
    return ends_.in.peek(piece) && (ends_.link == nullptr || has_arrived());
  }
  /// Whether a piece has been posted, though it may not have arrived over its link.
  [[nodiscard]] bool is_on_its_way() const {
    Piece piece;
    return ends_.in.peek(piece);
  }
  /// Where its bytes lie: valid until `pop`. Not for direct ones.
  [[nodiscard]] const std::byte* bytes(const Piece& piece) const {
    if (piece.kind == PieceKind::inside) return ends_.in.data();
    std::uint64_t offset = 0;
    std::memcpy(&offset, ends_.in.data(), sizeof offset);
    return ends_.their_part + offset;
  }
  [[nodiscard]] DirectPiece direct() const {
    DirectPiece piece;
    std::memcpy(&piece, ends_.in.data(), sizeof piece);
    return piece;
  }
  [[nodiscard]] const PeerMemory& their_memory() const { return *ends_.their_memory; }
  /// Done with the piece: the sender may use its memory again. It may wait for that where it has
  /// lent memory.
  void pop() {
    const bool is_lent = ends_.in.kind() != PieceKind::inside;
    ends_.in.pop();
    if (is_lent) wake_other();
  }
  /// Where the other one sleeps: for what was stored for it elsewhere.
  void wake_other() const noexcept { ends_.waker.wake(); }

 private:
  [[nodiscard]] bool has_arrived() const { return Link::now() >= ends_.in_times[ends_.in.place()]; }
  /// `bytes` of `data` go into the entry; the piece has `moved`.
  void post(Piece piece, const std::byte* data, std::size_t bytes, std::size_t moved,
            Staging::Block block = Staging::none) {
    const std::uint32_t place = ends_.out.place(ends_.out.posted());
    blocks_[place] = block;
    if (ends_.link != nullptr) ends_.out_times[place] = ends_.link->arrival(moved);
    ends_.out.post(piece, data, bytes);
    wake_other();
  }
  void announce(std::size_t offset, std::size_t bytes, bool last, Staging::Block block);

  Ends ends_;
  StagingMemory* staging_;
  std::vector<Staging::Block> blocks_;  // by place in the ring: what the entry points to
};

}  // namespace cartwright::comm
