// SPDX-License-Identifier: Apache-2.0
// Starts Kokkos before the first test and stops it after the last one.
#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>

namespace {

class KokkosEnvironment : public testing::Environment {
 public:
  void SetUp() override {
    // Tests are oversubscribed on purpose.
#if KOKKOS_VERSION >= 30700
    Kokkos::initialize(Kokkos::InitializationSettings().set_disable_warnings(true));
#else
    Kokkos::InitArguments arguments;
    arguments.disable_warnings = true;
    Kokkos::initialize(arguments);
#endif
  }
  void TearDown() override {
    Kokkos::finalize();
  }
};

[[maybe_unused]] const testing::Environment* const environment =
    testing::AddGlobalTestEnvironment(new KokkosEnvironment);

}  // namespace
