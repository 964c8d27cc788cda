// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cartwright/comm/calls/strided.hpp>
#include <cartwright/rt/error.hpp>
#include <cstring>

namespace cartwright::comm {

void check(const Strides& strides, plan::Count available) {
  const auto& [block, stride, count] = strides;
  if (block < 0 || count < 0 || (count > 1 && stride < block)) {
    throw rt::internal_failure(
        fmt::format("a slice of {} blocks of {} elements, {} apart, is none", count, block, stride),
        "Blocks must not overlap: the stride is at least a block.");
  }
  if (strides.extent() > available) {
    throw rt::internal_failure(
        fmt::format("a slice of {} blocks of {} elements, {} apart, leaves its memory of {}", count,
                    block, stride, available));
  }
}

void pack(const std::byte* from, const Strides& strides, std::size_t element_size, std::byte* to) {
  if (strides.elements() == 0) return;
  const auto block = static_cast<std::size_t>(strides.block) * element_size;
  const auto stride = static_cast<std::size_t>(strides.stride) * element_size;
  for (plan::Count i = 0; i < strides.count; ++i, from += stride, to += block) {
    std::memcpy(to, from, block);
  }
}

void unpack(const std::byte* from, const Strides& strides, std::size_t element_size,
            std::byte* to) {
  if (strides.elements() == 0) return;
  const auto block = static_cast<std::size_t>(strides.block) * element_size;
  const auto stride = static_cast<std::size_t>(strides.stride) * element_size;
  for (plan::Count i = 0; i < strides.count; ++i, from += block, to += stride) {
    std::memcpy(to, from, block);
  }
}

}  // namespace cartwright::comm
