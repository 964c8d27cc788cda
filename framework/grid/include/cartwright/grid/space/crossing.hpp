// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cartwright/grid/space/face.hpp>
#include <cartwright/grid/space/index.hpp>
#include <cstdint>
#include <span>
#include <string>

namespace cartwright::grid {

/// Some of an element's components: bit c for component c.
using Components = std::uint64_t;
inline constexpr Components all_components = ~Components{0};

/// Which components come in across each face of a block, so that ghosts beyond it hold them: all;
/// or those that travel that way, such as the populations of a lattice.
class Crossing {
 public:
  Crossing() { comes_in_.fill(all_components); }
  /// `directions[c]`: where component c goes, along each axis: only the signs matter. Throws an
  /// internal failure if they aren't one for each of `components`, or more than 64.
  Crossing(std::span<const Index<3>> directions, int components, const std::string& field);

  /// What ghosts hold that lie in `direction` of the owned points: what comes in across all faces
  /// between them.
  template <int D>
  [[nodiscard]] Components held_in(const Index<D>& direction) const {
    Components held = all_components;
    for (int axis = 0; axis < D; ++axis)
      if (direction[axis] != 0)
        held &= across({axis, direction[axis] < 0 ? Side::low : Side::high});
    return held;
  }
  [[nodiscard]] Components across(Face face) const {
    return comes_in_[static_cast<std::size_t>(face.number())];
  }
  friend bool operator==(const Crossing&, const Crossing&) = default;

 private:
  std::array<Components, 6> comes_in_;  ///< by number of the face
};

}  // namespace cartwright::grid
