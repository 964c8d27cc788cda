// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cartwright/rt/large_pages.hpp>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <memory>

namespace cartwright::rt {
namespace {

struct Free {
  void operator()(std::byte* memory) const noexcept { std::free(memory); }
};

/// A hint changes no byte, wherever memory begins and ends, and fails nowhere.
TEST(LargePages, AreAHint) {
  constexpr std::size_t bytes = 3 * fewest_bytes_for_large_pages;
  const std::unique_ptr<std::byte, Free> memory(static_cast<std::byte*>(std::malloc(bytes)));
  ASSERT_NE(memory, nullptr);
  memory.get()[0] = std::byte{7};
  memory.get()[bytes - 1] = std::byte{9};
  errno = 5;
  for (const std::size_t offset : {0U, 1U, 4095U, 4096U, 70000U})
    prefer_large_pages(memory.get() + offset, bytes - 2 * offset);
  EXPECT_EQ(errno, 5);
  EXPECT_EQ(memory.get()[0], std::byte{7});
  EXPECT_EQ(memory.get()[bytes - 1], std::byte{9});
  prefer_large_pages(nullptr, 0);
  prefer_large_pages(nullptr, bytes);
  prefer_large_pages(memory.get(), 100);
}

}  // namespace
}  // namespace cartwright::rt
