// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/run/grid_options.hpp>
#include <cartwright/rt/communicator.hpp>
#include <filesystem>
#include <string>
#include <vector>

namespace cartwright::rt {
class Deck;
}

namespace cartwright::grid {

/// The numbers of a text: one after the other, with blanks, commas or semicolons between them and
/// '#' before remarks; or, where `column` isn't empty, those below that word in a table whose first
/// line names its columns. Throws an input error with the line where something else stands.
[[nodiscard]] std::vector<double> numbers_of_text(const std::string& text,
                                                  const std::filesystem::path& file,
                                                  const std::string& column);

/// Reads the files that `grid.coordinates` names. Local: a deck is checked by every rank. Throws
/// Deck::error for files that can't be read or don't have just one number more than there are
/// cells.
void read_edges(const rt::Deck& deck, GridOptions& grid);

/// Collective. Throws an input error (all ranks) unless all ranks have read the same edges.
void require_same_edges(const rt::Communicator& comm, const GridOptions& grid);

}  // namespace cartwright::grid
