// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cartwright/mapping/machine/binding.hpp>

namespace cartwright::mapping {
namespace {

TEST(Binding, SaysHowRanksAreBound) {
  EXPECT_EQ((Binding{2, 1, 1, 1, 0, 0, 2}).describe(), "2 ranks, each bound to 1 core");
  EXPECT_EQ((Binding{4, 2, 2, 2, 0, 0, 4}).describe(), "4 ranks, each bound to 2 cores");
  EXPECT_EQ((Binding{3, 1, 1, 2, 0, 0, 4}).describe(), "3 ranks, each bound to 1 to 2 cores");
  EXPECT_EQ((Binding{1, 1, 2, 2, 1, 0, 2}).describe(), "1 rank on all 2 cores");
  EXPECT_EQ((Binding{1, 1, 1, 1, 0, 0, 2}).describe(), "1 rank, bound to 1 of 2 cores");
  EXPECT_EQ((Binding{1, 1, 1, 1, 0, 0, 1}).describe(), "1 rank on the only core");
}

TEST(Binding, SaysWhatIsWrong) {
  const Binding unbound{8, 1, 2, 2, 8, 8, 2};
  EXPECT_TRUE(unbound.is_doubtful());
  EXPECT_EQ(unbound.describe(), "8 ranks, not bound to cores: they share 2 cores");
  const Binding sharing{4, 1, 1, 1, 0, 2, 8};
  EXPECT_TRUE(sharing.is_doubtful());
  EXPECT_EQ(sharing.describe(), "4 ranks, of which 2 share cores with others");
  EXPECT_FALSE((Binding{2, 1, 1, 1, 0, 0, 2}).is_doubtful());
}

}  // namespace
}  // namespace cartwright::mapping
