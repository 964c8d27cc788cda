// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/mapping/probe/probe_analysis.hpp>
#include <optional>
#include <string>

namespace cartwright::command {

struct ProbeOptions {
  std::string output;    ///< machine file; empty: where later runs look for it
  std::string topology;  ///< imagined; empty: the machine
  std::string analyse;   ///< samples of an earlier probe: fit again, measure nothing
  mapping::ProbeModel model = mapping::ProbeModel::automatic;
  bool quick = false;
  bool force = false;
  bool verbose = false;
  double patience = 60.0;  ///< s that one measurement may take
};

/// Nothing if there is nothing to do: the rank that speaks has printed help. Mistakes are errors.
std::optional<ProbeOptions> parse_probe_options(int argc, char** argv, bool speaks);

}  // namespace cartwright::command
