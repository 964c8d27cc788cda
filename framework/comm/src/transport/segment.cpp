// SPDX-License-Identifier: Apache-2.0
#include <sys/uio.h>

#include <cartwright/comm/transport/segment.hpp>
#include <cartwright/rt/error.hpp>
#include <cerrno>
#include <cstring>

namespace cartwright::comm {

SegmentView SegmentView::restricted(std::span<const int> members, std::size_t offset,
                                    std::size_t bytes) const {
  SegmentView view;
  view.me = -1;
  for (const int member : members) {
    const auto number = static_cast<std::size_t>(member);
    if (offset + bytes > parts[number].size())
      throw rt::internal_failure("a part of the shared segment is too small");
    if (member == me) view.me = view.members();
    view.parts.push_back(parts[number].subspan(offset, bytes));
    if (!memories.empty()) view.memories.push_back(memories[number]);
    if (!wakers.empty()) view.wakers.push_back(wakers[number]);
  }
  if (view.me < 0) throw rt::internal_failure("this rank is missing in a view of its segment");
  return view;
}

bool PeerMemory::read(std::uint64_t address, std::byte* to, std::size_t bytes) const noexcept {
  if (is_mine) {
    std::memcpy(to, address_of(address), bytes);
    return true;
  }
  while (bytes > 0) {
    const iovec local{to, bytes};
    const iovec remote{address_of(address), bytes};
    const ssize_t got = process_vm_readv(static_cast<pid_t>(process), &local, 1, &remote, 1, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    address += static_cast<std::uint64_t>(got);
    to += got;
    bytes -= static_cast<std::size_t>(got);
  }
  return true;
}

}  // namespace cartwright::comm
