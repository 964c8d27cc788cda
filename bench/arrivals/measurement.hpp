// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/rt/communicator.hpp>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "contestants.hpp"
#include "patterns.hpp"

namespace cartwright::bench {

/// How long a contestant took, turn by turn.
struct Measured {
  std::string name;
  bool is_bound = false;
  bool is_by_nodes = false;
  /// Seconds from the last arrival until all had left, by nominal delays (Marendic 2016, Alg. 2).
  std::vector<double> after_last;
};

/// Collective; the same on all ranks. Contestants take turns: two barriers, then each rank sleeps
/// for its delay, and calls. Sums are checked. Throws an internal failure where they are wrong.
[[nodiscard]] std::vector<Measured> measure_pattern(const rt::Communicator& world,
                                                    Reducers& reducers, const Pattern& pattern,
                                                    std::size_t bytes, std::size_t rounds);

/// Of the hypothesis that two samples have the same median: by random exchange of their members.
[[nodiscard]] double permutation_p(std::span<const double> one, std::span<const double> other,
                                   int shuffles, std::uint64_t seed);

}  // namespace cartwright::bench
