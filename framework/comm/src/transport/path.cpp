// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/comm/transport/path.hpp>

namespace cartwright::comm {

void Path::look() {
  std::uint64_t number = ends_.out.seen();
  for (const std::uint64_t now = ends_.out.look(); number < now; ++number) {
    const Staging::Block block = blocks_[ends_.out.place(number)];
    if (block != Staging::none) staging_->blocks.drop_reader(block);
  }
}

void Path::post_staged(Staging::Block block, std::size_t bytes, bool last) {
  staging_->blocks.add_reader(block);
  announce(staging_->blocks.offset(block), bytes, last, block);
}

void Path::post_in_slot(const std::byte* data, std::size_t bytes, bool last) {
  SharedAccess::copy(staging_->memory + ends_.slot, data, bytes);
  announce(ends_.slot, bytes, last, Staging::none);
}

void Path::announce(std::size_t offset, std::size_t bytes, bool last, Staging::Block block) {
  const std::uint64_t in_my_part = staging_->begin + offset;
  const std::size_t told = std::min<std::size_t>(bytes, largest_piece);
  post({PieceKind::staged, last, static_cast<std::uint32_t>(told)},
       reinterpret_cast<const std::byte*>(&in_my_part), sizeof in_my_part, bytes, block);
}

void Path::post_direct(const std::byte* data, std::size_t bytes) {
  const DirectPiece piece{reinterpret_cast<std::uint64_t>(data), bytes};
  post({PieceKind::direct, true, 0}, reinterpret_cast<const std::byte*>(&piece), sizeof piece,
       bytes);
}

}  // namespace cartwright::comm
