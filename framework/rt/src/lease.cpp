// SPDX-License-Identifier: Apache-2.0
#include <sys/mman.h>

#include <cartwright/rt/lease.hpp>

namespace cartwright::rt {

Mapping::Mapping(int descriptor, std::size_t bytes) noexcept {
  if (bytes == 0) return;
  const int of_its_own = descriptor < 0 ? MAP_ANONYMOUS : 0;
  void* const memory =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | of_its_own, descriptor, 0);
  if (memory != MAP_FAILED) bytes_ = {static_cast<std::byte*>(memory), bytes};
}

Mapping::~Mapping() {
  if (!bytes_.empty()) ::munmap(bytes_.data(), bytes_.size());
}

}  // namespace cartwright::rt
