// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <new>

namespace cartwright::rt {

struct FreeAligned {
  static constexpr std::align_val_t alignment{64};
  void operator()(std::byte* memory) const noexcept { ::operator delete(memory, alignment); }
};

/// Memory that suits every element type and vector instruction, and shares no cache line.
using AlignedMemory = std::unique_ptr<std::byte, FreeAligned>;

/// Of so many bytes, not set. Throws std::bad_alloc.
[[nodiscard]] inline AlignedMemory aligned_memory(std::size_t bytes) {
  return AlignedMemory(static_cast<std::byte*>(::operator new(bytes, FreeAligned::alignment)));
}

}  // namespace cartwright::rt
