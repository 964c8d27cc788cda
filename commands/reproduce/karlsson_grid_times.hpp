// SPDX-License-Identifier: Apache-2.0
// Tables 5.1 to 5.4: collectives along the dimensions of a grid, standard and tiled.
#pragma once

#include <array>
#include <span>

namespace cartwright::reproduce::karlsson_tables {

struct TwoDimensional {
  const char* system;
  const char* operation;
  std::array<const char*, 3> standard, tiled;  // ms, on three numbers of ranks
  const char* gain;                            // Theta
};

/// Five operations on Alamode, then on RA, then on Jaguar.
std::span<const TwoDimensional> tables_5_2_to_5_4();
/// p, as printed, by system.
std::array<int, 3> ranks_of_system(const TwoDimensional& line);

struct ThreeDimensional {
  const char* system;
  int ranks;
  const char *standard, *tiled;  // ms
};
std::span<const ThreeDimensional> table_5_1();

}  // namespace cartwright::reproduce::karlsson_tables
