// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/mapping/faces/judge.hpp>
#include <cartwright/mapping/predict/predict.hpp>
#include <string>
#include <vector>

#include "problem.hpp"

namespace cartwright::command {

/// One mapping and what it costs. Times only on a machine.
struct MapRow {
  mapping::MappingCandidate mapping;
  mapping::Judgement judgement;
  std::vector<long long> messages;  ///< of a halo exchange, by level
  double halo_seconds = 0.0;
  double simulated_halo = 0.0;                      ///< s, if asked for
  std::vector<mapping::AxisPrediction> broadcasts;  ///< by schedule
  std::vector<double> simulated;                    ///< the same, s; empty unless asked for

  [[nodiscard]] const mapping::AxisPrediction& best_broadcast() const;
};

struct MapResult {
  std::vector<MapRow> rows;   ///< the first is "before"
  std::size_t chosen = 0;     ///< fewest faces
  double bound = 0.0;         ///< no mapping costs less (weighted)
  std::string why;            ///< two lines
  std::string why_halo;       ///< two lines; empty without a machine
  std::string why_broadcast;  ///< likewise
};

/// Ranks in their order and the mapping that is chosen; or all of them.
MapResult map_rows(const MapOptions& options, const MapProblem& problem);

}  // namespace cartwright::command
