// SPDX-License-Identifier: Apache-2.0
#include "factor_table.hpp"

namespace cartwright::plan {

FactorTable::FactorTable(int most, const MultiplyingParameters& parameters)
    : entries_(index(most) + 1) {
  // One stage for all ranks is always possible, at least. No factor is left out: b_upper bounds
  // useful factors of numbers that can be split, not those of primes.
  for (int n = 2; n <= most; ++n)
    entries_[index(n)] = {stage_time({.factor = n}, parameters), n - 1, n};
  // An entry is final when all of its divisors have been gone through. Of equally good ones the
  // first stays: the one with the smallest rest, so the greatest factor.
  for (int rest = 2; rest <= most / 2; ++rest) {
    const Entry of_rest = entries_[index(rest)];
    Picoseconds time = of_rest.time + stage_time({.factor = 2}, parameters);
    std::int32_t sends = of_rest.sends + 1;
    for (int f = 2; f <= most / rest; ++f, time += parameters.each(), ++sends) {
      Entry& entry = entries_[index(rest * f)];
      if (time < entry.time || (time == entry.time && sends < entry.sends))
        entry = {time, sends, f};
    }
  }
}

std::vector<int> FactorTable::factors(int ranks) const {
  std::vector<int> factors;
  while (ranks > 1) {
    factors.push_back(entries_[index(ranks)].largest);
    ranks /= factors.back();
  }
  return factors;
}

}  // namespace cartwright::plan
