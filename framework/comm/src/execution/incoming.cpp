// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/comm/execution/incoming.hpp>
#include <cartwright/rt/error.hpp>
#include <cstdint>
#include <cstring>

namespace cartwright::comm {

namespace {

[[noreturn]] void throw_wrong_length(int from, std::size_t expected, const char* but) {
  throw rt::internal_failure(fmt::format("a message of {} bytes was expected "
                                         "from member {} of the node, but {}",
                                         expected, from, but),
                             "Do all ranks call the same collectives in the same order, with the "
                             "same counts? comm.checked: true, or CARTWRIGHT_COMM_CHECKED=1, tells "
                             "which one differs, and where.");
}

}  // namespace

bool Incoming::take(Path& path, int from, const Landing& landing) {
  for (Piece piece; path.peek(piece);) {
    if (piece.kind == PieceKind::direct) {
      take_direct(path, from, landing);
    } else {
      if (received_ + piece.length > landing.bytes)
        throw_wrong_length(from, landing.bytes, "it is longer");
      take_piece(path.bytes(piece), piece.length, landing);
    }
    path.pop();
    ++moves_;
    if (!piece.last) continue;
    if (received_ != landing.bytes) throw_wrong_length(from, landing.bytes, "it is shorter");
    received_ = combined_ = 0;
    return true;
  }
  return false;
}

void Incoming::take_piece(const std::byte* data, std::size_t bytes, const Landing& landing) {
  if (landing.reduction != nullptr)
    combine(data, bytes, landing);
  else
    SharedAccess::copy(landing.target + received_, data, bytes);
  received_ += bytes;
}

void Incoming::take_direct(const Path& path, int from, const Landing& landing) {
  const DirectPiece piece = path.direct();
  if (piece.bytes != landing.bytes)
    throw_wrong_length(from, landing.bytes, "the sender has another length");
  const PeerMemory& memory = path.their_memory();
  const bool has_landed = landing.reduction == nullptr;
  if (memory.is_mine) {
    take_piece(address_of(piece.address), piece.bytes, landing);
    return;
  }
  while (received_ < piece.bytes) {
    const std::size_t left = piece.bytes - received_;
    const std::size_t bytes = has_landed ? left : std::min(left, bounce_bytes);
    std::byte* const to = has_landed ? landing.target : reserve(bounce_, bounce_bytes);
    if (!memory.read(piece.address + received_, to, bytes))
      throw rt::internal_failure("the system no longer lets ranks read each other's memory",
                                 "Set comm.backend to p2p.");
    if (has_landed)
      received_ += bytes;
    else
      take_piece(to, bytes, landing);
  }
}

void Incoming::apply(const std::byte* data, std::size_t elements, const Landing& landing) {
  const std::byte* const source = landing.source + combined_;
  const bool is_left = landing.received_is_left;
  (*landing.reduction)(is_left ? data : source, is_left ? source : data, landing.target + combined_,
                       elements);
  combined_ += elements * element_size_;
}

std::byte* Incoming::reserve(rt::AlignedMemory& memory, std::size_t bytes) {
  if (!memory) memory = rt::aligned_memory(bytes);
  return memory.get();
}

bool Incoming::is_aligned(const std::byte* data) const noexcept {
  // An element's alignment divides its size and is a power of two.
  const std::size_t largest = element_size_ & (~element_size_ + 1);
  return reinterpret_cast<std::uintptr_t>(data) % std::min<std::size_t>(largest, 64) == 0;
}

void Incoming::combine(const std::byte* data, std::size_t bytes, const Landing& landing) {
  if (carried_ == 0 && is_aligned(data)) {
    const std::size_t elements = bytes / element_size_;
    apply(data, elements, landing);
    data += elements * element_size_;
    bytes -= elements * element_size_;
  }
  while (bytes > 0) {  // elements in several pieces, or not aligned
    const std::size_t part = std::min(bytes, element_size_ - carried_);
    std::byte* const element = reserve(element_, element_size_);
    std::memcpy(element + carried_, data, part);
    carried_ += part;
    data += part;
    bytes -= part;
    if (carried_ < element_size_) continue;
    carried_ = 0;
    apply(element, 1, landing);
  }
}

}  // namespace cartwright::comm
