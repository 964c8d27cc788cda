// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace cartwright::rt {

/// Memory below this isn't worth it: a large page is 2 MiB on most machines.
inline constexpr std::size_t fewest_bytes_for_large_pages = std::size_t{8} << 20U;

/// Asks for large pages for memory that nobody has touched yet: a sweep over many rows at once then
/// finds their addresses in the processor's tables. A hint: where the system has none to give,
/// nothing changes, and nothing fails.
void prefer_large_pages(void* memory, std::size_t bytes) noexcept;

/// So many zeros, in large pages where there are some.
template <class Number>
[[nodiscard]] std::vector<Number> zeros_in_large_pages(std::size_t count) {
  std::vector<Number> zeros;
  zeros.reserve(count);
  prefer_large_pages(zeros.data(), count * sizeof(Number));
  zeros.resize(count);
  return zeros;
}

}  // namespace cartwright::rt
