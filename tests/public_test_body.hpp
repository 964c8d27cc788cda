// SPDX-License-Identifier: Apache-2.0
// Included before tests that nvcc compiles, which takes no kernels from private functions: what
// GoogleTest's TEST makes of a test's body.
#pragma once

#include <gtest/gtest.h>

#undef TEST
#define TEST(suite, name)                                                                  \
  class suite##_##name##_Test : public testing::Test {                                     \
   public:                                                                                 \
    void TestBody() override;                                                              \
  };                                                                                       \
  [[maybe_unused]] const testing::TestInfo* const suite##_##name##_info =                  \
      testing::RegisterTest(#suite, #name, nullptr, nullptr, __FILE__, __LINE__,           \
                            []() -> testing::Test* { return new suite##_##name##_Test; }); \
  void suite##_##name##_Test::TestBody()
