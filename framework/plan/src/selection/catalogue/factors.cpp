// SPDX-License-Identifier: Apache-2.0
#include "factors.hpp"

#include <algorithm>

namespace cartwright::plan::catalogue {

namespace {

constexpr int largest_radix = 16;

// Greedy: the largest divisors up to `most` first.
std::vector<int> factorise(int ranks, int most) {
  std::vector<int> factors;
  for (int factor = most; factor > 1; --factor)
    for (; ranks % factor == 0; ranks /= factor) factors.push_back(factor);
  if (ranks > 1) return {};
  return factors;
}

std::string text_of(const std::vector<int>& factors) {
  std::string text;
  for (const int factor : factors) text += (text.empty() ? "" : ",") + std::to_string(factor);
  return text;
}

}  // namespace

std::vector<int> factors_of(const std::string& tuning) {
  std::vector<int> factors;
  for (std::size_t begin = 0; begin <= tuning.size();) {
    const std::size_t comma = std::min(tuning.find(',', begin), tuning.size());
    factors.push_back(positive_number(tuning.substr(begin, comma - begin)));
    begin = comma + 1;
  }
  return factors;
}

bool has_small_factors(const Problem& problem) {
  return problem.ranks > 1 && !factorise(problem.ranks, largest_radix).empty();
}

Tunings factor_tunings(const Problem& problem, const Machine&) {
  Tunings tunings;
  for (int most = 2; most <= largest_radix; ++most) {
    const std::string text = text_of(factorise(problem.ranks, most));
    if (!text.empty() && std::ranges::find(tunings, text) == tunings.end()) tunings.push_back(text);
  }
  return tunings;
}

Rounds factor_rounds(const Problem& problem, const std::string& tuning) {
  Rounds rounds;
  Count slice = problem.bytes();
  Count distance = 1;
  for (const int factor : factors_of(tuning)) {
    slice = part_of(slice, factor);
    rounds.push_back({.sends = factor - 1,
                      .receives = factor - 1,
                      .bytes = slice,
                      .distance = distance * (factor - 1),
                      .span = distance * factor,
                      .combined = (factor - 1) * slice});
    distance *= factor;
  }
  return rounds;
}

}  // namespace cartwright::plan::catalogue
