// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cartwright/rt/report.hpp>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "../failing_allocation.hpp"

namespace cartwright::rt {
namespace {

Report example() {
  Report report;
  report.section("run").add("ranks", 8).add("wall time", 12.5, "s").add("program", "heat");
  report.section("mapping").add("off-node faces", 12LL).add("bound", true);
  report.set_times({{{"halo exchange", 0.5, 1.0, 2.0, 8000, 3 << 20},
                     {"output", 0, 0.25, 1, 8, 0},
                     {"other", 10.0, 11.25, 11.75, 0, 0}},
                    {"whole run", 12.25, 12.5, 12.75, 0, 0}});
  return report;
}

// (Later ones may be those of the JSON library's destructors, which end the program.)
TEST(Report, WantOfMemoryIsAnError) {
  const Report report = example();
  const test::FailingAllocation first(0);
  EXPECT_THROW((void)report.json(), std::bad_alloc);
}

TEST(Report, TextIsAligned) {
  EXPECT_EQ(example().text(),
            "run\n"
            "  ranks             8\n"
            "  wall time         12.5 s\n"
            "  program           heat\n"
            "mapping\n"
            "  off-node faces    12\n"
            "  bound             yes\n"
            "time in                 min s    mean s     max s   share       count      moved\n"
            "  halo exchange        0.5000      1.00      2.00   8.0 %        8000    3.0 MiB\n"
            "  output               0.0000    0.2500      1.00   2.0 %           8\n"
            "  other                 10.00     11.25     11.75  90.0 %\n"
            "  whole run             12.25     12.50     12.75 100.0 %\n");
}

TEST(Report, JsonKeepsNumbersAndUnits) {
  Report report = example();
  report.section("run").add("ranks", 4).add("bad", std::numeric_limits<double>::quiet_NaN());
  const auto json = nlohmann::json::parse(report.json());
  EXPECT_EQ(json["sections"]["run"]["ranks"], 4) << "the later value of a key counts";
  EXPECT_EQ(json["sections"]["run"]["wall time"]["value"], 12.5);
  EXPECT_EQ(json["sections"]["run"]["wall time"]["unit"], "s");
  EXPECT_EQ(json["sections"]["mapping"]["bound"], true);
  EXPECT_TRUE(json["sections"]["run"]["bad"].is_null());
  EXPECT_EQ(json["regions"][0]["bytes"], 3 << 20);
  EXPECT_EQ(json["regions"][2]["name"], "other");
  EXPECT_EQ(json["wall_seconds"], 12.75);
  EXPECT_EQ(json["whole_run"]["mean_seconds"], 12.5);
}

}  // namespace
}  // namespace cartwright::rt
