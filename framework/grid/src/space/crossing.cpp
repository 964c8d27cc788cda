// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cartwright/grid/space/crossing.hpp>
#include <cartwright/rt/error.hpp>

namespace cartwright::grid {

Crossing::Crossing(std::span<const Index<3>> directions, int components, const std::string& field) {
  constexpr std::size_t most = 64;
  if (directions.size() != static_cast<std::size_t>(components) || directions.size() > most)
    throw rt::internal_failure(fmt::format("field '{}' has {} components and {} directions", field,
                                           components, directions.size()),
                               "Give FieldOptions::directions one for each component, at most 64.",
                               rt::Reach::all_ranks);
  comes_in_.fill(0);
  for (std::size_t c = 0; c < directions.size(); ++c)
    for (int axis = 0; axis < 3; ++axis) {
      if (directions[c][axis] == 0) continue;
      const Face from{axis, directions[c][axis] > 0 ? Side::low : Side::high};
      comes_in_[static_cast<std::size_t>(from.number())] |= Components{1} << c;
    }
}

}  // namespace cartwright::grid
