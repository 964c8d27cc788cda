// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/selection/operation.hpp>

#include <optional>
#include <string>
#include <vector>

namespace cartwright::command {

/// What `cartwright simulate` is asked for.
struct SimulateOptions {
  plan::Problem problem;
  std::string machine = "archer";
  std::vector<std::string> algorithms;  ///< empty: all
  bool all_tunings = false;
  long long most_steps = 100'000'000;  ///< of a simulation; beyond, the formula has to do
  std::string arrivals = "together";
  double latest = 0.0;  ///< s
  double noise = 0.0;   ///< s, mean, on messages
  unsigned long long seed = 1;
  std::string timeline;  ///< SVG
  std::string trace;     ///< trace events
  std::string json;
  std::optional<int> show_rank;
  bool list = false;
};

/// Answers --help by itself. Nothing: the program is to end with the code `exit_code`.
std::optional<SimulateOptions> parse_simulate_options(int argc, char** argv, int& exit_code);

}  // namespace cartwright::command
