// SPDX-License-Identifier: Apache-2.0
// Blocks whose lengths not all ranks know.
#include <array>
#include <cartwright/comm/collectives.hpp>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

namespace cartwright::comm {

namespace {

/// How long a block is, and the block itself if it is short: of one size, whatever it holds.
struct Frame {
  static constexpr std::size_t room = 248;

  plan::Count bytes = 0;
  std::array<std::byte, room> data{};

  [[nodiscard]] static Frame of(std::span<const std::byte> block) {
    Frame frame{.bytes = std::ssize(block), .data = {}};
    if (frame.holds_all() && !block.empty())
      std::memcpy(frame.data.data(), block.data(), block.size());
    return frame;
  }
  [[nodiscard]] bool holds_all() const { return bytes <= static_cast<plan::Count>(room); }
  /// Bytes that are to follow.
  [[nodiscard]] plan::Count follow() const { return holds_all() ? 0 : bytes; }
  void copy_to(std::byte* block) const {
    if (holds_all() && bytes > 0) std::memcpy(block, data.data(), static_cast<std::size_t>(bytes));
  }
};

/// A buffer's bytes, one behind the other.
class Contiguous {
 public:
  Contiguous(const detail::Memory& memory, std::size_t element_size)
      : bytes_(memory.data, static_cast<std::size_t>(memory.count) * element_size) {
    if (!memory.scatter) return;
    packed_.resize(bytes_.size());
    memory.scatter.pack(memory.data, element_size, packed_.data());
    bytes_ = packed_;
  }
  [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }
  [[nodiscard]] std::span<const std::byte> of(const Blocks& blocks, int rank,
                                              std::size_t element_size) const {
    return bytes_.subspan(static_cast<std::size_t>(blocks.offset(rank)) * element_size,
                          static_cast<std::size_t>(blocks.count(rank)) * element_size);
  }

 private:
  std::span<const std::byte> bytes_;
  std::vector<std::byte> packed_;
};

/// Bytes of each rank's block that don't travel in its frame.
std::vector<plan::Count> follow_of(std::span<const Frame> frames) {
  std::vector<plan::Count> bytes;
  bytes.reserve(frames.size());
  for (const Frame& frame : frames) bytes.push_back(frame.follow());
  return bytes;
}

}  // namespace

Blocks Collectives::blocks_at_root(rt::Rank root, std::span<const plan::Count> counts,
                                   plan::Count mine) const {
  if (comm_->rank() == root) return Blocks::at_root(Blocks(counts));
  return Blocks::away_from_root(comm_->size(), comm_->rank().value, mine);
}

Blocks Collectives::gather_any(const detail::Memory& mine, std::size_t element_size, rt::Rank root,
                               At at, const Room& room) const {
  const Contiguous block(mine, element_size);
  const Frame own = Frame::of(block.bytes());
  const bool is_root = comm_->rank() == root;
  std::vector<Frame> frames(is_root ? static_cast<std::size_t>(comm_->size()) : 0);
  gather(std::span(&own, 1), frames, root, {}, at);
  // The other ranks' is nothing but a message, for those that have one.
  const std::vector<plan::Count> follow = follow_of(frames);
  const Blocks blocks = blocks_at_root(root, follow, own.follow());
  std::vector<std::byte> long_ones(is_root ? static_cast<std::size_t>(blocks.total()) : 0);
  const auto rest = block.bytes().first(static_cast<std::size_t>(own.follow()));
  gather(rest, long_ones, root, blocks, at);
  if (!is_root) return {};

  std::vector<plan::Count> counts;
  counts.reserve(frames.size());
  for (const Frame& frame : frames)
    counts.push_back(frame.bytes / static_cast<plan::Count>(element_size));
  Blocks all(counts);
  std::byte* const elements = room(all.total());
  for (int rank = 0; rank < comm_->size(); ++rank) {
    std::byte* const to = elements + static_cast<std::size_t>(all.offset(rank)) * element_size;
    frames[static_cast<std::size_t>(rank)].copy_to(to);
    if (const auto bytes = static_cast<std::size_t>(blocks.count(rank)); bytes > 0)
      std::memcpy(to, long_ones.data() + blocks.offset(rank), bytes);
  }
  return all;
}

void Collectives::scatter_any(const detail::Memory& all, std::size_t element_size,
                              const Blocks& blocks, rt::Rank root, At at, const Room& room) const {
  const bool is_root = comm_->rank() == root;
  std::vector<Frame> frames;
  std::vector<std::byte> long_ones;
  if (is_root) {
    const Contiguous elements(all, element_size);
    for (int rank = 0; rank < comm_->size(); ++rank) {
      const auto block = elements.of(blocks, rank, element_size);
      if (!frames.emplace_back(Frame::of(block)).holds_all())
        long_ones.insert(long_ones.end(), block.begin(), block.end());
    }
  }
  Frame own;
  scatter(frames, std::span(&own, 1), root, {}, at);
  std::byte* const mine = room(own.bytes / static_cast<plan::Count>(element_size));
  own.copy_to(mine);
  scatter(long_ones, std::span(mine, static_cast<std::size_t>(own.follow())), root,
          blocks_at_root(root, follow_of(frames), own.follow()), at);
}

void Collectives::broadcast_any(const detail::Memory& data, std::size_t element_size, rt::Rank root,
                                At at, const Room& room) const {
  const bool is_root = comm_->rank() == root;
  std::optional<Contiguous> source;
  Frame frame;
  if (is_root) frame = Frame::of(source.emplace(data, element_size).bytes());
  broadcast(std::span(&frame, 1), root, at);
  std::byte* const elements = room(frame.bytes / static_cast<plan::Count>(element_size));
  frame.copy_to(elements);
  if (frame.holds_all()) return;  // as all ranks know
  if (is_root) std::memcpy(elements, source->bytes().data(), source->bytes().size());
  broadcast(std::span(elements, static_cast<std::size_t>(frame.bytes)), root, at);
}

}  // namespace cartwright::comm
