// SPDX-License-Identifier: Apache-2.0
// Starts Kokkos before the first test and stops it after the last one.
#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>

namespace {

class KokkosEnvironment : public testing::Environment {
 public:
  void SetUp() override {
    Kokkos::InitArguments arguments;
    arguments.disable_warnings = true;  // tests are oversubscribed on purpose
    Kokkos::initialize(arguments);
  }
  void TearDown() override { Kokkos::finalize(); }
};

[[maybe_unused]] const testing::Environment* const environment =
    testing::AddGlobalTestEnvironment(new KokkosEnvironment);

}  // namespace
