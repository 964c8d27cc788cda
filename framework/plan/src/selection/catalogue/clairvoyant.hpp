// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/algorithms/clairvoyant.hpp>
#include <cstdint>
#include <span>
#include <string>

#include "lists.hpp"

// Plans for arrivals in the catalogue. Their tuning: the number of segments; behind a comma, for
// arrivals, what a round takes in ns; behind another one, by which rule ("16,3600,strict").
namespace cartwright::plan::catalogue {

/// Segments for ranks that come together: those with the least time by formula, among those whose
/// plans are affordable.
Tunings clairvoyant_tunings(const Problem& problem, const Machine& machine);

Maker clairvoyant_together(const Problem& problem, const std::string& tuning);
Maker clairvoyant_for(const Problem& problem, const std::string& tuning,
                      std::span<const std::int64_t> arrivals);
Maker clairvoyant_ordered_together(const Problem& problem, const std::string& tuning);
Maker clairvoyant_ordered_for(const Problem& problem, const std::string& tuning,
                              std::span<const std::int64_t> arrivals);
Rounds clairvoyant_rounds(const Problem& problem, const std::string& tuning);

}  // namespace cartwright::plan::catalogue
