// SPDX-License-Identifier: Apache-2.0
#include <sys/mman.h>
#include <unistd.h>

#include <cartwright/rt/ring_memory.hpp>

#include "shared_file.hpp"

namespace cartwright::rt {

std::size_t RingMemory::granularity() noexcept {
  return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

RingMemory RingMemory::make(std::size_t bytes) noexcept {
  RingMemory ring;
  if (bytes == 0 || bytes % granularity() != 0) return ring;
  const SharedFile file = SharedFile::create(Arena::Way::descriptor, {}, bytes);
  if (!file || !file.take_pages(0, bytes)) return ring;
  // Room for both first: nothing else may lie between them.
  void* const room =
      ::mmap(nullptr, 2 * bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED) return ring;
  ring.memory_ = static_cast<std::byte*>(room);
  ring.bytes_ = bytes;
  for (std::byte* const half : {ring.memory_, ring.memory_ + bytes})
    if (::mmap(half, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file.descriptor(), 0) ==
        MAP_FAILED)
      return {};
  return ring;
}

RingMemory::~RingMemory() {
  if (memory_ != nullptr) ::munmap(memory_, 2 * bytes_);
}

}  // namespace cartwright::rt
