// SPDX-License-Identifier: Apache-2.0
// Which part of a step the regions of reports are counted under.
#include <gtest/gtest.h>

#include <cartwright/grid/app/region_parts.hpp>

namespace cartwright::grid {
namespace {

using mapping::RunPart;

TEST(RegionParts, OfTheFrameworksOwnRegions) {
  EXPECT_EQ(part_of_region("kernel interior"), RunPart::kernels);
  EXPECT_EQ(part_of_region("boundary"), RunPart::boundary);
  EXPECT_EQ(part_of_region("halo wait"), RunPart::halo);
  EXPECT_EQ(part_of_region("reduce across ranks"), RunPart::reductions);
  EXPECT_EQ(part_of_region("exchange"), RunPart::loop);
  EXPECT_EQ(part_of_region("check for NaN"), RunPart::output);
}

TEST(RegionParts, WhatASolverNamesItselfIsAKernel) {
  EXPECT_EQ(part_of_region("forces"), RunPart::kernels);
  EXPECT_EQ(part_of_region("halo"), RunPart::kernels);
  EXPECT_EQ(part_of_region(""), RunPart::kernels);
}

TEST(RegionParts, WhatIsMadeOnceIsNoPartOfAStep) {
  EXPECT_FALSE(part_of_region("start-up"));
  EXPECT_FALSE(part_of_region("memory of fields"));
  EXPECT_FALSE(part_of_region("linear solver set-up"));
}

}  // namespace
}  // namespace cartwright::grid
