// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cartwright::bench {

/// When ranks arrive, in s: by rank, in one call. Nobody is early: the least is what it is.
using Arrivals = std::vector<double>;

/// What a generator makes (Marendic 2016, section 6): one call's arrivals for all rounds, or one
/// after the other.
struct Pattern {
  std::string name;  ///< "rank 3 late", "gamma"
  std::vector<Arrivals> calls;
  int late = -1;  ///< the only rank that is late

  /// Of the first call: the last arrival after the first.
  [[nodiscard]] double imbalance() const;
  [[nodiscard]] const Arrivals& of_round(std::size_t round) const {
    return calls[round % calls.size()];
  }
};

/// Generators of patterns for so many ranks, whose imbalance is about `spread` s. Random ones
/// follow from the seed: equal on all ranks.
class PatternMaker {
 public:
  PatternMaker(int ranks, double spread, std::uint64_t seed)
      : ranks_(ranks), spread_(spread), seed_(seed) {}

  /// none, single (one pattern for each rank), alternating, uniform, normal, gamma, bernoulli.
  [[nodiscard]] static const std::vector<std::string>& names();
  /// Throws an input error for other names.
  [[nodiscard]] std::vector<Pattern> make(const std::string& name) const;
  /// From a file: one call a line, by rank, in s; at most 32 lines. Throws an input error for what
  /// isn't that.
  [[nodiscard]] Pattern from_file(const std::string& file) const;

 private:
  template <class Draw>
  [[nodiscard]] Pattern drawn(const std::string& name, const Draw& draw) const;

  int ranks_;
  double spread_;
  std::uint64_t seed_;
};

}  // namespace cartwright::bench
