// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/elements/both_sides.hpp>
#include <cstdint>

namespace cartwright::grid {

/// A number from 0 up to, not including, 1, as if drawn at random: always the same one for a seed
/// and a number, which may be a particle's identity or a cell's global number. So what begins at
/// random begins alike on any number of ranks and threads
/// (SplitMix64: Steele, Lea and Flood, OOPSLA 2014).
[[nodiscard]] CARTWRIGHT_BOTH_SIDES inline double random_number(std::uint64_t seed,
                                                                std::uint64_t number) {
  std::uint64_t z = seed * 0xd1342543de82ef95ULL + (number + 1) * 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
  z ^= z >> 31U;
  return static_cast<double>(z >> 11U) * 0x1.0p-53;
}

}  // namespace cartwright::grid
