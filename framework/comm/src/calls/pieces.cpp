// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/comm/calls/pieces.hpp>
#include <cartwright/rt/error.hpp>
#include <cstring>
#include <numeric>
#include <utility>

namespace cartwright::comm {

Pieces::Pieces(std::vector<plan::Count> begins, const Blocks& blocks)
    : begins_(std::move(begins)), blocks_(blocks) {
  if (std::ssize(begins_) != blocks_.ranks())
    throw rt::internal_failure(
        fmt::format("{} blocks can't begin at {} places", blocks_.ranks(), begins_.size()));
  std::vector<int> by_place(begins_.size());
  std::iota(by_place.begin(), by_place.end(), 0);
  std::erase_if(by_place, [this](int rank) { return blocks_.count(rank) == 0; });
  std::ranges::sort(by_place, {},
                    [this](int rank) { return begins_[static_cast<std::size_t>(rank)]; });
  plan::Count free_from = 0;
  for (const int rank : by_place) {
    const plan::Count begin = begins_[static_cast<std::size_t>(rank)];
    if (begin < free_from)
      throw rt::internal_failure(
          fmt::format("the block of rank {} begins at element {}, {}", rank, begin,
                      begin < 0 ? "before its buffer" : "where another block lies"));
    free_from = begin + blocks_.count(rank);
  }
}

plan::Count Pieces::extent() const {
  plan::Count end = 0;
  for (int rank = 0; rank < blocks_.ranks(); ++rank)
    if (blocks_.count(rank) > 0)
      end = std::max(end, begins_[static_cast<std::size_t>(rank)] + blocks_.count(rank));
  return end;
}

template <class Copy>
void Pieces::for_each(std::size_t element_size, const Copy& copy) const {
  std::size_t packed = 0;
  for (int rank = 0; rank < blocks_.ranks(); ++rank) {
    const auto bytes = static_cast<std::size_t>(blocks_.count(rank)) * element_size;
    if (bytes == 0) continue;  // it may begin anywhere
    copy(static_cast<std::size_t>(begins_[static_cast<std::size_t>(rank)]) * element_size, packed,
         bytes);
    packed += bytes;
  }
}

void Pieces::pack(const std::byte* from, std::size_t element_size, std::byte* to) const {
  for_each(element_size, [&](std::size_t apart, std::size_t packed, std::size_t bytes) {
    std::memcpy(to + packed, from + apart, bytes);
  });
}

void Pieces::unpack(const std::byte* from, std::size_t element_size, std::byte* to) const {
  for_each(element_size, [&](std::size_t apart, std::size_t packed, std::size_t bytes) {
    std::memcpy(to + apart, from + packed, bytes);
  });
}

void detail::must_lie_in(const Pieces& pieces, plan::Count available) {
  if (pieces.extent() > available)
    throw rt::internal_failure(fmt::format("blocks that end at element {} leave their memory of {}",
                                           pieces.extent(), available));
}

}  // namespace cartwright::comm
