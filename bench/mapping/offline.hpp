// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cases.hpp"

namespace cartwright::bench {

/// What a long annealing makes small.
enum class Goal { sum, busiest };

/// What it found for one case.
struct Annealed {
  MappingCase grid;
  double least = 0.0;       ///< faces between nodes, or of the busiest node
  double seconds = 0.0;     ///< of processor time spent so far
  int slices = 0;           ///< runs that they were spent in
  double most_faces = 0.0;  ///< for the busiest node: with so many between nodes at most
};

/// Results kept in a file between runs.
class AnnealedFile {
 public:
  /// Reads `path`; a missing file holds nothing.
  AnnealedFile(std::string path, Goal goal);
  [[nodiscard]] const std::vector<Annealed>& entries() const noexcept { return entries_; }
  [[nodiscard]] std::uint64_t seed() const noexcept { return seed_; }

  /// Anneals `count` cases, drawn with `seed` (near-cubic ones for the sum, of both kinds for the
  /// busiest node), until each had `seconds` of processor time. In rounds of `slice` seconds a
  /// case, and the file is written after each: stop it at any time, start it again to go on.
  void anneal(double seconds, std::size_t count, std::uint64_t seed, double slice);

 private:
  void write() const;

  std::string path_;
  Goal goal_;
  std::uint64_t seed_ = 0;
  std::vector<Annealed> entries_;
};

}  // namespace cartwright::bench
