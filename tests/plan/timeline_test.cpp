// SPDX-License-Identifier: Apache-2.0
#include <cartwright/plan/simulation/simulate.hpp>

#include <gtest/gtest.h>

#include <sstream>

#include "simulation_samples.hpp"

namespace cartwright::plan {
namespace {

Timeline doubling(int ranks) {
  SimulationOptions options;
  options.record = Record::timeline;
  return simulate(
             ranks,
             [&](int r) {
               return samples::recursive_doubling({ranks, r});
             },
             Layout(Cuts::uniform(1, 1)), 8, unit_machine(), options)
      .timeline;
}

std::size_t count(const std::string& text, const std::string& word) {
  std::size_t found = 0;
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
  return found;
}

// The words that Perfetto reads; every message leaves and comes.
TEST(Timeline, Trace) {
  std::ostringstream out;
  write_trace(out, doubling(4));
  const std::string text = out.str();
  EXPECT_EQ(count(text, R"("ph":"M")"), 8u);
  EXPECT_EQ(count(text, R"("ph":"s")"), 8u);
  EXPECT_EQ(count(text, R"("ph":"f")"), 8u);
  EXPECT_EQ(count(text, R"("name":"send")"), 8u);
  EXPECT_EQ(count(text, R"("name":"wait")"), 8u);
  EXPECT_NE(text.find(R"("ts":1000000.000000,"dur":1000000.000000)"), std::string::npos);
  EXPECT_TRUE(text.starts_with("{\"traceEvents\":[\n"));
  EXPECT_TRUE(text.ends_with("],\"displayTimeUnit\":\"ns\"}\n"));
}

TEST(Timeline, Svg) {
  std::ostringstream out;
  write_svg(out, doubling(8), {.title = "recursive doubling <8>"});
  const std::string text = out.str();
  EXPECT_EQ(count(text, "<svg"), 1u);
  EXPECT_TRUE(text.ends_with("</svg>\n"));
  EXPECT_NE(text.find("recursive doubling &lt;8>"), std::string::npos);
  EXPECT_NE(text.find("time (s)"), std::string::npos);
  EXPECT_EQ(count(text, ": send to "), 24u);
  EXPECT_EQ(count(text, ": receive and combine from "), 24u);
  EXPECT_NE(text.find("message on its way"), std::string::npos);
}

TEST(Timeline, SvgOfManyRanksShowsSome) {
  std::ostringstream out;
  write_svg(out, doubling(256), {.most_ranks = 16});
  EXPECT_NE(out.str().find("16 of 256 ranks are shown"), std::string::npos);
}

TEST(Timeline, SvgOfNothing) {
  std::ostringstream out;
  write_svg(out, {});
  EXPECT_TRUE(out.str().ends_with("</svg>\n"));
}

}  // namespace
}  // namespace cartwright::plan
