// SPDX-License-Identifier: Apache-2.0
#include <cartwright/grid/run/slice_plane.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cartwright/rt/deck.hpp>
#include <charconv>

namespace cartwright::grid {

std::optional<SlicePlane> parse_slice_plane(const rt::Deck& deck, const std::string& text,
                                            const GridDescription& grid) {
  if (text.empty()) return std::nullopt;
  const std::string key = "output.pictures.slice";
  std::string compact;
  std::copy_if(text.begin(), text.end(), std::back_inserter(compact),
               [](char c) { return c != ' '; });
  SlicePlane plane;
  const char* const end = compact.data() + compact.size();
  const bool begins_well =
      compact.size() > 2 && compact[0] >= 'x' && compact[0] <= 'z' && compact[1] == '=';
  const auto parsed = begins_well
                          ? std::from_chars(compact.data() + 2, end, plane.position)
                          : std::from_chars_result{compact.data(), std::errc::invalid_argument};
  if (parsed.ec != std::errc{} || parsed.ptr != end)
    throw deck.error(
        key, fmt::format("'{}' is '{}', but must be an axis and a place such as z=0.5", key, text));
  plane.axis = compact[0] - 'x';
  if (grid.dimensions != 3)
    throw deck.error(key, fmt::format("'{}' is for 3-D grids; this one has {} dimensions", key,
                                      grid.dimensions));
  const auto axis = static_cast<std::size_t>(plane.axis);
  const double upper = grid.origin[axis] + grid.length[axis];
  if (!(plane.position >= grid.origin[axis] && plane.position <= upper))
    throw deck.error(key, fmt::format("'{}' is '{}', outside of the grid, which spans {} to {}",
                                      key, text, grid.origin[axis], upper));
  return plane;
}

}  // namespace cartwright::grid
