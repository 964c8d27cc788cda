// SPDX-License-Identifier: Apache-2.0
// The notation of allreduce schedules: read, printed, and what contradicts itself.
#include <cartwright/plan/algorithms/stages.hpp>

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace cartwright::plan {
namespace {

std::string complaint(const std::string& text) {
  try {
    ranks_of(parse_stages(text));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return {};
}

TEST(Stages, AreReadAndPrinted) {
  for (const char* text :
       {"", "a4", "a4,a4", "a2,a3,a5", "c6m2,a2,a2,e6m2", "m1g2a3,n1g3a2", "m3g2a2,n3g2a2",
        "c7m7,e7m7", "m10g20a5,a4,n10g50a2", "c2m2,m1g2a3,n1g3a2,e2m2"})
    EXPECT_EQ(to_string(parse_stages(text)), text);
  EXPECT_EQ(parse_stages("m1g2a3").front(),
            (Stage{.kind = StageKind::merge, .factor = 3, .remainders = 1, .groups = 2}));
  EXPECT_EQ(parse_stages("e6m2").front(),
            (Stage{.kind = StageKind::expand, .threshold = 6, .base = 2}));
}

TEST(Stages, KnowTheirRanks) {
  const auto ranks = [](const char* text) { return ranks_of(parse_stages(text)); };
  EXPECT_EQ(ranks(""), 1);
  EXPECT_EQ(ranks("a4,a5"), 20);
  EXPECT_EQ(ranks("c6m2,a2,a2,e6m2"), 7);
  EXPECT_EQ(ranks("m1g2a3,n1g3a2"), 7);
  EXPECT_EQ(ranks("m3g2a2,n3g2a2"), 7);
  EXPECT_EQ(ranks("c7m7,e7m7"), 7);
  EXPECT_EQ(ranks("c2m2,m1g2a3,n1g3a2,e2m2"), 8);
}

TEST(Stages, AreMade) {
  const int factors[] = {5, 4, 2};
  EXPECT_EQ(to_string(factor_stages(factors)), "a5,a4,a2");
  EXPECT_EQ(to_string(merged_stages(factors, 3)), "m3g8a5,a4,n3g20a2");
  EXPECT_EQ(to_string(merged_stages(factors, 0)), "a5,a4,a2");
  EXPECT_EQ(to_string(collapsed_stages(6, 3, factors)), "c6m3,a5,a4,a2,e6m3");
  EXPECT_EQ(to_string(collapsed_stages(0, 3, factors)), "a5,a4,a2");
  const int zero[] = {2, 0};
  EXPECT_THROW(merged_stages(zero, 1), std::invalid_argument);
  EXPECT_THROW(merged_stages(std::span(factors).first(1), 1), std::invalid_argument);
}

TEST(Stages, QuoteWhatIsNoStage) {
  for (const char* text : {"b4", "a", "a-4", "a4,", ",a4", "a4,,a4", "a4 ", "c6", "c6m", "m1g2",
                           "m1g2a3x", "n1a3", "a99999999999", "4"})
    EXPECT_NE(complaint(text).find("is no stage"), std::string::npos) << text;
  EXPECT_EQ(complaint("a4,b5,a6").substr(0, 4), "`b5`");
}

TEST(Stages, MustNotContradictEachOther) {
  const auto complains = [](const char* text, const char* of) {
    EXPECT_NE(complaint(text).find(of), std::string::npos) << text << ": " << complaint(text);
  };
  complains("a1", "factor of at least 2");
  complains("a0,a2", "factor of at least 2");
  complains("c6m2,a2,a2", "needs `e6m2` as last stage");
  complains("c6m2", "needs `e6m2` as last stage");
  complains("c6m2,a4,e6m3", "needs `e6m2` as last stage");
  complains("a4,e6m2", "no first stage has collapsed");
  complains("c6m4,a4,e6m4", "multiple of it");
  complains("c4m1,a4,e4m1", "base of at least 2");
  complains("c0m2,a4,e0m2", "multiple of it");
  complains("c10m2,a4,e10m2", "more ranks than there are");
  complains("a2,c2m2,a2,e2m2", "no first stage has collapsed");
  complains("a2,c2m2,a2", "may only stand at an end");
  complains("m1g1a4", "second factor");
  complains("n1g1a4", "second factor");
  complains("m1g2a3,a2", "no last factor serves");
  complains("a3,n1g3a2", "no first factor has merged");
  complains("a2,m1g2a3,n1g3a2", "only be the first");
  complains("m1g2a3,n1g3a2,a2", "only be the last");
  complains("m1g2a3,n2g3a2", "as many remaining ranks");
  complains("m0g2a3,n0g3a2", "at least one");
  complains("m1g3a3,n1g3a2", "needs 2 groups");
  complains("m1g2a3,n1g2a2", "needs 3 groups");
  complains("a2000000000,a2", "too many ranks");
  complains("c2147483646m2,a2147483647,e2147483646m2", "too many ranks");
}

}  // namespace
}  // namespace cartwright::plan
