// SPDX-License-Identifier: Apache-2.0
// The section `grid` of a deck.
#pragma once

#include <array>
#include <cartwright/grid/run/formula.hpp>
#include <cartwright/grid/space/grid_description.hpp>
#include <cartwright/rt/schema.hpp>
#include <optional>
#include <string>
#include <vector>

namespace cartwright::rt {
class Deck;
}

namespace cartwright::grid {

/// Where cells begin along an axis: a formula of where they would if all were equal, or all edges,
/// as a list or in a file.
struct EdgesData {
  std::vector<std::string> texts{};
  std::string file{};             ///< of text, or HDF5
  std::string dataset{};          ///< HDF5: which one
  std::string column{};           ///< a table: which one
  std::vector<double> numbers{};  ///< what the file holds, once it was read
  /// They are given one by one.
  [[nodiscard]] bool are_all() const { return texts.size() > 1 || !file.empty(); }
};

}  // namespace cartwright::grid

namespace cartwright::rt {
/// "0.5 - 0.5*cos(pi*x)", or a list of numbers, or {file: edges.txt}.
template <>
struct Codec<grid::EdgesData> {
  static TypeName type(const Limits&);
  static bool read(const DeckValue& given, const Reading& reading, grid::EdgesData& value);
  static std::string show(const grid::EdgesData& value, const Limits&);
  static std::string json_schema(const Limits&);
};
}  // namespace cartwright::rt

namespace cartwright::grid {

/// What the cells cost, so that ranks get equal shares of the work.
struct WeightOptions {
  std::string formula;        ///< of a cell, in x, y, z
  std::string file, dataset;  ///< or a number for each cell
  long long least = 4;        ///< cells of a rank along each axis, where there are enough
  [[nodiscard]] bool are_given() const { return !formula.empty() || !file.empty(); }
};

struct CoordinateOptions {
  std::optional<EdgesData> x, y, z;
};

struct GridOptions {
  std::vector<long long> extent;  ///< cells along x, y, z; their number is the dimension
  std::vector<double> length;     ///< empty: the longest axis has length 1, and cells are cubes
  std::vector<double> origin;     ///< empty: zeros
  std::vector<bool> periodic;     ///< empty: none
  CoordinateOptions coordinates;
  WeightOptions weights;
  std::string balance = "none";              ///< "watch": the report tells; "arrivals": work moves
  std::array<std::vector<double>, 3> edges;  ///< what `coordinates` comes to; empty: equal cells
};

[[nodiscard]] rt::Schema<GridOptions> grid_schema();

/// Gives absent lists their defaults; throws Deck::error where keys contradict each other.
void complete_grid_options(const rt::Deck& deck, GridOptions& grid);

/// Throws Deck::error unless `grid.weights` is one thing that can be evaluated; formulas may use
/// `names`.
void check_weights(const rt::Deck& deck, const WeightOptions& weights,
                   const FormulaConstants& names);

/// The grid of a complete deck, as files and pictures know it.
[[nodiscard]] GridDescription description_of(const GridOptions& options);

}  // namespace cartwright::grid
