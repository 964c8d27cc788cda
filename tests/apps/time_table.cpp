// SPDX-License-Identifier: Apache-2.0
#include "time_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "pde_program.hpp"

namespace pde_test {

std::map<std::string, double> time_table(const std::string& directory) {
  const auto report = nlohmann::json::parse(read_text(directory + "/report.json"));
  std::map<std::string, double> by_name;
  double sum = 0;
  for (const auto& region : report["regions"]) {
    EXPECT_GE(region["minimum_seconds"].get<double>(), 0) << region["name"];
    by_name[region["name"]] = region["mean_seconds"];
    sum += region["mean_seconds"].get<double>();
  }
  const double whole = report["whole_run"]["mean_seconds"];
  EXPECT_NEAR(sum, whole, 1e-6) << "nothing counts twice, nothing is left out";
  EXPECT_GE(report["wall_seconds"].get<double>(), whole);
  EXPECT_TRUE(by_name.contains("other"));
  return by_name;
}

double unnamed_part(const std::map<std::string, double>& table) {
  double sum = 0;
  for (const auto& [name, seconds] : table)
    if (name != "start-up") sum += seconds;
  return table.at("other") / sum;
}

double least_unnamed_part(int attempts, const std::function<double()>& attempt) {
  double least = 1.0;
  for (int made = 0; made < attempts && least > 0.05 && !testing::Test::HasFailure(); ++made)
    least = std::min(least, attempt());
  return least;
}

}  // namespace pde_test
