// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/models/time.hpp>

#include <cstdint>
#include <vector>

namespace cartwright::plan {

/// When the ranks come to a collective operation, for simulate(): by rank, between 0 and `latest`.
/// Evenly later from the first rank to the last.
std::vector<Picoseconds> ascending_arrivals(int ranks, Picoseconds latest);
/// One rank comes late, the others at 0.
std::vector<Picoseconds> one_late_arrival(int ranks, int late, Picoseconds latest);
/// Random and uniform.
std::vector<Picoseconds> random_arrivals(int ranks, Picoseconds latest, std::uint64_t seed);

}  // namespace cartwright::plan
