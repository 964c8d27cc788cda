// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/mapping/probe/probe_analysis.hpp>
#include <cartwright/rt/log.hpp>

namespace cartwright::command {

/// A few lines on each level; with `verbose` every fit, and every refusal with its reason.
void print_summary(rt::Log& log, const mapping::ProbeSamples& samples,
                   const mapping::ProbeAnalysis& analysis, bool verbose);

}  // namespace cartwright::command
