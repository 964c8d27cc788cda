// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/grid_description.hpp>
#include <cartwright/grid/slice.hpp>
#include <optional>
#include <string>

namespace cartwright::rt {
class Deck;
}

namespace cartwright::grid {

/// "z=0.5" as the deck's output.pictures.slice; empty: none. Throws Deck::error.
[[nodiscard]] std::optional<SlicePlane> parse_slice_plane(const rt::Deck& deck,
                                                          const std::string& text,
                                                          const GridDescription& grid);

}  // namespace cartwright::grid
