// SPDX-License-Identifier: Apache-2.0
#include <sys/mman.h>
#include <unistd.h>

#include <cartwright/rt/large_pages.hpp>
#include <cerrno>
#include <cstddef>
#include <cstdint>

namespace cartwright::rt {

void prefer_large_pages(void* memory, std::size_t bytes) noexcept {
#ifdef MADV_HUGEPAGE
  if (memory == nullptr || bytes < fewest_bytes_for_large_pages) return;
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  // Whole pages of this memory.
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  const std::uintptr_t before_first = (page - address % page) % page;
  const std::uintptr_t behind_last = (address + bytes) % page;
  const int before = errno;
  ::madvise(static_cast<std::byte*>(memory) + before_first, bytes - before_first - behind_last,
            MADV_HUGEPAGE);
  errno = before;
#else
  (void)memory;
  (void)bytes;
#endif
}

}  // namespace cartwright::rt
