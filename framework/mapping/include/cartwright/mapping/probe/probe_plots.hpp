// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/mapping/probe/probe_analysis.hpp>
#include <string>
#include <vector>

namespace cartwright::mapping {

struct ProbePlot {
  std::string name;  ///< "node.ping_pong"
  std::string svg;
};

/// A picture of every fit: samples as dots, fits as lines, axes with units. Fits that were refused
/// are shown as well, and say so.
[[nodiscard]] std::vector<ProbePlot> plots_of(const ProbeSamples& samples,
                                              const ProbeAnalysis& analysis);

}  // namespace cartwright::mapping
