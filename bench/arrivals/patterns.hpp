// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cartwright::bench {

/// When ranks arrive, in s: by rank, in one call. Nobody is early: the least is what it is.
using Arrivals = std::vector<double>;

/// What a generator makes (Marendic 2016, section 6): one call's arrivals for all rounds, or of
/// several calls, one after the other.
struct Pattern {
  std::string name;  ///< "rank 3 late", "gamma"
  std::vector<Arrivals> calls;
  int late = -1;  ///< the only rank that is late

  /// The last arrival after the first: the mean of all calls.
  [[nodiscard]] double imbalance() const;
  [[nodiscard]] const Arrivals& of_round(std::size_t round) const {
    return calls[round % calls.size()];
  }
};

/// Generators of patterns for so many ranks, whose imbalance is about `spread` s. Random ones are
/// drawn anew for each of `draws` calls, and follow from the seed: equal on all ranks.
class PatternMaker {
 public:
  PatternMaker(int ranks, double spread, std::uint64_t seed, std::size_t draws)
      : ranks_(ranks), spread_(spread), seed_(seed), draws_(draws) {}

  /// none, single (one pattern for each rank), alternating, uniform, normal, gamma, bernoulli.
  [[nodiscard]] static const std::vector<std::string>& names();
  /// Throws an input error for other names.
  [[nodiscard]] std::vector<Pattern> make(const std::string& name) const;
  /// From a file: one call a line, by rank, in s. Throws an input error for what isn't that.
  [[nodiscard]] Pattern from_file(const std::string& file) const;

 private:
  template <class Draw>
  [[nodiscard]] Pattern drawn(const std::string& name, const Draw& draw) const;

  int ranks_;
  double spread_;
  std::uint64_t seed_;
  std::size_t draws_;
};

}  // namespace cartwright::bench
