// SPDX-License-Identifier: Apache-2.0
#include "groups.hpp"

#include <algorithm>

namespace cartwright::plan::catalogue {

namespace {

// Ranks of the shape stand for groups of `size` ranks, within groups of `span` (0: all).
Rounds scaled(Rounds rounds, int size, int span) {
  for (RoundShape& round : rounds) {
    round.distance *= size;
    round.span = span > 0 ? span : round.span * size;
  }
  return rounds;
}

}  // namespace

Hierarchy hierarchy_of(int ranks, const std::string& tuning) {
  return Hierarchy::even(ranks, group_sizes(tuning));
}

bool more_than_two_ranks(const Problem& problem) {
  return problem.ranks > 2;
}

Rounds outer_rounds(int ranks, const std::vector<int>& sizes, const ShapeOf& shape) {
  return scaled(shape((ranks + sizes[0] - 1) / sizes[0]), sizes[0], 0);
}

Rounds inner_rounds(int ranks, const std::vector<int>& sizes, const ShapeOf& shape) {
  Rounds rounds;
  for (std::size_t level = 0; level < sizes.size(); ++level) {
    const int unit = level + 1 < sizes.size() ? sizes[level + 1] : 1;
    const int members = std::min(ranks, sizes[level]) / unit;
    append(rounds, scaled(shape(members), unit, sizes[level]));
  }
  return rounds;
}

}  // namespace cartwright::plan::catalogue
