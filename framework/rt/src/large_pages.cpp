// SPDX-License-Identifier: Apache-2.0
#include <sys/mman.h>
#include <unistd.h>

#include <cartwright/rt/large_pages.hpp>
#include <cerrno>
#include <cstdint>

namespace cartwright::rt {

void prefer_large_pages(void* memory, std::size_t bytes) noexcept {
#ifdef MADV_HUGEPAGE
  if (memory == nullptr || bytes < fewest_bytes_for_large_pages) return;
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  const std::uintptr_t first = (address + page - 1) / page * page;  // whole pages of this memory
  const std::uintptr_t end = (address + bytes) / page * page;
  const int before = errno;
  ::madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE);
  errno = before;
#else
  (void)memory;
  (void)bytes;
#endif
}

}  // namespace cartwright::rt
