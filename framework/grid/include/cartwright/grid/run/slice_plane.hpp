// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/space/grid_description.hpp>
#include <optional>
#include <string>

namespace cartwright::rt {
class Deck;
}

namespace cartwright::grid {

/// A plane of constant coordinate.
struct SlicePlane {
  int axis = 2;
  double position = 0;  ///< in the grid's unit of length
};

/// "z=0.5" as the deck's output.pictures.slice; empty: none. Throws Deck::error.
[[nodiscard]] std::optional<SlicePlane> parse_slice_plane(const rt::Deck& deck,
                                                          const std::string& text,
                                                          const GridDescription& grid);

}  // namespace cartwright::grid
