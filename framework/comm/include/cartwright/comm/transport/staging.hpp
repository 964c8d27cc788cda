// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/transport/shared_access.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace cartwright::comm {

/// Who uses which bytes of a sender's staging memory: blocks, given out in ring
/// order and taken back in the same order, once nobody reads them any more.
/// Bookkeeping of the sender alone; that readers have done with a block it
/// learns from the rings.
class Staging {
 public:
  using Block = std::uint64_t;  ///< number of a block, from 0 on
  static constexpr Block none = ~Block{0};

  Staging() = default;
  explicit Staging(std::size_t bytes, std::size_t blocks = 256) : bytes_(bytes), blocks_(blocks) {}

  /// Takes back what is free and gives out a block that nobody reads yet; none
  /// if there is no room.
  [[nodiscard]] Block allocate(std::size_t bytes) {
    while (first_ < next_ && at(first_).readers == 0) ++first_;
    return fit(bytes);
  }
  /// Where the block begins; valid while it is live.
  [[nodiscard]] std::size_t offset(Block block) const { return at(block).begin; }
  /// False once its bytes may belong to another block.
  [[nodiscard]] bool is_live(Block block) const { return block >= first_ && block < next_; }
  void add_reader(Block block) { ++at(block).readers; }
  void drop_reader(Block block) { --at(block).readers; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  struct Extent {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::uint32_t readers = 0;
  };

  [[nodiscard]] const Extent& at(Block block) const { return blocks_[block % blocks_.size()]; }
  [[nodiscard]] Extent& at(Block block) { return blocks_[block % blocks_.size()]; }

  [[nodiscard]] Block fit(std::size_t bytes) {
    const std::size_t size = in_lines(bytes);
    if (next_ - first_ == blocks_.size()) return none;
    std::size_t begin = 0;
    if (first_ != next_) {
      const std::size_t tail = at(first_).begin;
      begin = at(next_ - 1).end;
      if (begin > tail) {
        if (bytes_ - begin < size) begin = 0;
        if (begin == 0 && size > tail) return none;
      } else if (tail - begin < size) {
        return none;
      }
    }
    if (size > bytes_) return none;
    at(next_) = {begin, begin + size, 0};
    return next_++;
  }

  std::size_t bytes_ = 0;
  std::vector<Extent> blocks_{1};
  Block first_ = 0;  // the oldest that is live
  Block next_ = 0;
};

}  // namespace cartwright::comm
