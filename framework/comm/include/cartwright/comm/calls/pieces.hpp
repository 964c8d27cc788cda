// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/calls/blocks.hpp>
#include <cstddef>
#include <span>
#include <vector>

namespace cartwright::comm {

/// Where the blocks of ranks lie, if not one behind the other: any gaps, any order.
class Pieces {
 public:
  /// `begins`: of each block's first element, from the buffer's first one on. Throws
  /// internal_failure where blocks overlap, lie before the buffer, or there is another number of
  /// them.
  Pieces(std::vector<plan::Count> begins, const Blocks& blocks);

  [[nodiscard]] plan::Count elements() const { return blocks_.total(); }
  /// Elements of memory up to the last one, gaps included.
  [[nodiscard]] plan::Count extent() const;
  /// Copies the blocks that lie in memory from `from` on to contiguous memory, and back.
  void pack(const std::byte* from, std::size_t element_size, std::byte* to) const;
  void unpack(const std::byte* from, std::size_t element_size, std::byte* to) const;

 private:
  /// `copy(apart, packed, bytes)` for each block: how many bytes before it, in both memories.
  template <class Copy>
  void for_each(std::size_t element_size, const Copy& copy) const;

  std::vector<plan::Count> begins_;
  Blocks blocks_;
};

/// A buffer whose blocks lie apart: what a collective takes in place of a span, together with the
/// same `Blocks`. They are packed into a buffer of the call.
template <class T>
struct InPieces {
  T* first = nullptr;
  const Pieces* pieces = nullptr;  ///< stays as long as calls are made with this
};

/// `all.allgather(mine, in_pieces(std::span(field), pieces), blocks)`. Throws internal_failure
/// where a piece leaves the memory.
template <class T, std::size_t Extent>
[[nodiscard]] InPieces<T> in_pieces(std::span<T, Extent> memory, const Pieces& pieces);
template <class T, std::size_t Extent>
InPieces<T> in_pieces(std::span<T, Extent> memory, Pieces&& pieces) = delete;

namespace detail {
void must_lie_in(const Pieces& pieces, plan::Count available);
}

template <class T, std::size_t Extent>
InPieces<T> in_pieces(std::span<T, Extent> memory, const Pieces& pieces) {
  detail::must_lie_in(pieces, static_cast<plan::Count>(memory.size()));
  return {memory.data(), &pieces};
}

}  // namespace cartwright::comm
