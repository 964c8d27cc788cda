// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

namespace cartwright::grid {

/// What checked mode knows of one storage: which generation of values the owned points hold, and
/// from which generation the ghosts of each face (and the corners) are.
struct HaloState {
  explicit HaloState(const void* memory);

  static constexpr std::size_t corners = 6;  ///< the place after the faces x_low … z_high
  static constexpr std::uint64_t never = 0;

  std::uint64_t token;           ///< views carry it; unique in this process
  std::uint64_t generation = 1;  ///< of the owned points
  std::uint64_t content = 0;     ///< a hash of the owned points, by which changes are noticed
  std::array<std::uint64_t, 7> ghosts{};
};

}  // namespace cartwright::grid
