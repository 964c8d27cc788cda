// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cases.hpp"

namespace cartwright::bench {

/// What a long annealing found for one case.
struct Annealed {
  MappingCase grid;
  double least = 0.0;    ///< faces between nodes
  double seconds = 0.0;  ///< of processor time spent so far
  int slices = 0;        ///< runs that they were spent in
};

/// Results kept in a file between runs.
class AnnealedFile {
 public:
  /// Reads `path`; a missing file holds nothing.
  explicit AnnealedFile(std::string path);
  [[nodiscard]] const std::vector<Annealed>& entries() const noexcept { return entries_; }
  [[nodiscard]] std::uint64_t seed() const noexcept { return seed_; }

  /// Anneals `count` cases, drawn with `seed`, until each had `seconds` of processor time. In
  /// rounds of `slice` seconds a case, and the file is written after each: stop it at any time,
  /// start it again to go on.
  void anneal(double seconds, std::size_t count, std::uint64_t seed, double slice);

 private:
  void write() const;

  std::string path_;
  std::uint64_t seed_ = 0;
  std::vector<Annealed> entries_;
};

}  // namespace cartwright::bench
