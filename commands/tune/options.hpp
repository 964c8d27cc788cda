// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/cuts.hpp>
#include <cartwright/plan/selection/operation.hpp>
#include <optional>
#include <string>
#include <vector>

namespace cartwright::command {

struct TuneOptions {
  std::vector<plan::Operation> operations;  ///< empty: all
  std::vector<plan::Count> bytes;           ///< empty: 8 B to 16 MiB
  std::vector<int> ranks;  ///< of communicators; empty: all, and the divisors of their number
  std::string output;      ///< empty: where later runs look for it
  std::string topology;    ///< imagined; empty: the machine
  bool quick = false;
  bool defaults = false;  ///< only print the library's default tuning
};

/// Nothing if there is nothing to do: the rank that speaks has printed help. Mistakes are errors.
std::optional<TuneOptions> parse_tune_options(int argc, char** argv, bool speaks);

}  // namespace cartwright::command
