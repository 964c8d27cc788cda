// SPDX-License-Identifier: Apache-2.0
#include <cartwright/grid/run/grid_options.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cartwright/rt/deck.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/fault.hpp>
#include <cmath>
#include <filesystem>

namespace cartwright::rt {

TypeName Codec<grid::EdgesData>::type(const Limits&) {
  return {"a formula, a list of numbers or a file", "formulas, lists of numbers or files",
          "formula, list of numbers or file"};
}

namespace {

/// {file: edges.txt}, with a column of a table, or a dataset.
bool read_file_of_edges(const DeckValue& given, const Reading& reading, grid::EdgesData& value) {
  grid::EdgesData found;
  bool good = true;
  for (const DeckEntry& entry : given.entries()) {
    std::string* const to = entry.name == "file"      ? &found.file
                            : entry.name == "dataset" ? &found.dataset
                            : entry.name == "column"  ? &found.column
                                                      : nullptr;
    const bool is_word = entry.value.is_scalar() && !entry.value.text().empty();
    if (to != nullptr && is_word) {
      *to = entry.value.text();
      continue;
    }
    good = false;
    if (to == nullptr)
      reading.faults.add(entry.origin, fmt::format("'{}': unknown key '{}'; it has file, and "
                                                   "dataset (HDF5) or column (tables)",
                                                   reading.path, entry.name));
    else
      reading.faults.add(entry.value.origin(),
                         fmt::format("'{}.{}' must be a name, found {}", reading.path, entry.name,
                                     entry.value.describe()));
  }
  if (good && (found.file.empty() || !(found.dataset.empty() || found.column.empty()))) {
    reading.faults.add(
        given.origin(),
        fmt::format("'{}' wants a file, and a dataset or a column of it at most", reading.path));
    good = false;
  }
  if (good) value = std::move(found);
  return good;
}

}  // namespace

bool Codec<grid::EdgesData>::read(const DeckValue& given, const Reading& reading,
                                  grid::EdgesData& value) {
  if (given.is_map()) return read_file_of_edges(given, reading, value);
  const bool is_list = given.is_list() && !given.items().empty();
  if (!given.is_scalar() && !is_list)
    return reading.refuse(given, "a formula, a list of numbers or {file: NAME}");
  grid::EdgesData found;
  for (const DeckValue& item : is_list ? given.items() : std::vector<DeckValue>{given}) {
    const grid::FormulaConstants names{{"lx", 1.0}, {"ly", 1.0}, {"lz", 1.0}};
    const std::string fault = item.is_scalar() ? grid::Formula::fault(item.text(), names)
                                               : "expected a number, found " + item.describe();
    if (!fault.empty()) {
      reading.faults.add(item.origin(), fmt::format("'{}': {}", reading.path, fault));
      return false;
    }
    found.texts.push_back(item.text());
  }
  value = std::move(found);
  return true;
}

std::string Codec<grid::EdgesData>::show(const grid::EdgesData& value, const Limits& limits) {
  if (!value.file.empty()) {
    const auto named = [&](const char* name, const std::string& text) {
      return text.empty() ? ""
                          : fmt::format(", {}: {}", name, Codec<std::string>::show(text, limits));
    };
    return "{file: " + Codec<std::string>::show(value.file, limits) +
           named("dataset", value.dataset) + named("column", value.column) + "}";
  }
  if (value.texts.size() == 1) return Codec<std::string>::show(value.texts.front(), limits);
  return Codec<std::vector<std::string>>::show(value.texts, limits);
}

std::string Codec<grid::EdgesData>::json_schema(const Limits&) {
  return R"({"type": ["string", "array", "object"], "items": {"type": ["number", "string"]}, "properties": {"file": {"type": "string"}, "dataset": {"type": "string"}, "column": {"type": "string"}}, "required": ["file"], "additionalProperties": false})";
}

}  // namespace cartwright::rt

namespace cartwright::grid {
namespace {

using rt::key;

rt::Schema<CoordinateOptions> coordinates_schema() {
  return {key("x", &CoordinateOptions::x)
              .example("\"lx*(0.5 - 0.5*cos(pi*x/lx))\"")
              .about("edges of cells along x"),
          key("y", &CoordinateOptions::y).about("along y"),
          key("z", &CoordinateOptions::z).about("along z")};
}

rt::Schema<WeightOptions> weights_schema() {
  return {key("formula", &WeightOptions::formula)
              .example("\"x<0.3 ? 10 : 1\"")
              .about("of a cell, in x, y, z"),
          key("file", &WeightOptions::file).about("HDF5, with a number for each cell"),
          key("dataset", &WeightOptions::dataset).about("in the file, of shape (nz, ny, nx)"),
          key("least", &WeightOptions::least)
              .minimum(1)
              .about("cells that a rank has along each axis at least, where there are enough")};
}

template <class T>
void fill(const rt::Deck& deck, const std::string& path, std::vector<T>& values, std::size_t count,
          T standard) {
  if (values.empty()) values.assign(count, standard);
  if (values.size() != count)
    throw deck.error(path, fmt::format("'{}' has {} element{}, but 'grid.extent' has {}", path,
                                       values.size(), values.size() == 1 ? "" : "s", count));
}

void refuse_too_many_cells(const rt::Deck& deck, const std::vector<long long>& extents) {
  constexpr double most = 9007199254740992.0;  // 2^53: counts stay exact everywhere
  double cells = 1.0;
  for (const long long extent : extents) cells *= static_cast<double>(extent);
  if (cells > most)
    throw deck.error(
        "grid.extent",
        fmt::format("'grid.extent' asks for {:.3g} cells, but a grid has at most {:.3g}", cells,
                    most));
}

/// Neighbouring cells, and the edges of the domain, must have places that differ as numbers.
void refuse_cells_in_one_place(const rt::Deck& deck, const GridOptions& grid) {
  for (std::size_t axis = 0; axis < grid.extent.size(); ++axis) {
    const double lower = grid.origin[axis], upper = lower + grid.length[axis];
    const double half = 0.5 * grid.length[axis] / static_cast<double>(grid.extent[axis]);
    if (std::isfinite(upper) && lower + half > lower && upper - half < upper) continue;
    // The one that is out of proportion, if the deck gives both.
    const bool origin_is_far = std::abs(lower) > grid.length[axis];
    throw deck.error(
        origin_is_far ? "grid.origin" : "grid.length",
        fmt::format("along {}, '{}' is {:g}: double precision can't tell places half a cell "
                    "({:g} m) apart there",
                    "xyz"[axis], origin_is_far ? "grid.origin" : "grid.length",
                    origin_is_far ? lower : grid.length[axis], half),
        "Lay the origin nearer to the domain, choose other units, or use fewer cells.");
  }
}

std::array<const std::optional<EdgesData>*, 3> by_axis(const CoordinateOptions& options) {
  return {&options.x, &options.y, &options.z};
}

/// What the deck says of one axis: all edges. Ends that a formula misses by rounding are set right.
std::vector<double> edges_of(const EdgesData& given, const GridOptions& grid, std::size_t axis) {
  if (!given.file.empty()) return given.numbers;
  FormulaConstants constants;
  for (std::size_t other = 0; other < grid.length.size(); ++other)
    constants[std::string("l") + "xyz"[other]] = grid.length[other];
  std::vector<double> edges;
  if (given.texts.size() > 1) {
    for (const std::string& text : given.texts) edges.push_back(Formula(text, constants)({}, 0.0));
    return edges;
  }
  const Formula formula(given.texts.front(), constants);
  const double begin = grid.origin[axis], end = begin + grid.length[axis];
  for (long long i = 0; i <= grid.extent[axis]; ++i) {
    std::array<double, 3> position{};
    position[axis] = begin + static_cast<double>(i) *
                                 (grid.length[axis] / static_cast<double>(grid.extent[axis]));
    edges.push_back(formula(position, 0.0));
  }
  const double close = 1e-9 * grid.length[axis];
  if (std::abs(edges.front() - begin) <= close) edges.front() = begin;
  if (std::abs(edges.back() - end) <= close) edges.back() = end;
  return edges;
}

constexpr long long most_stretched_cells = 1LL << 27;

/// Lists and files of edges say where the grid is, unless the deck does, too.
void take_ends_of_lists(const rt::Deck& deck, GridOptions& grid) {
  for (std::size_t axis = 0; axis < grid.extent.size(); ++axis) {
    const std::optional<EdgesData>& given = *by_axis(grid.coordinates)[axis];
    if (!given || !given->are_all()) continue;
    const std::vector<double> edges = edges_of(*given, grid, axis);
    if (edges.size() < 2) continue;  // complete_edges says so
    if (!deck.contains("grid.origin")) grid.origin[axis] = edges.front();
    if (!deck.contains("grid.length")) grid.length[axis] = edges.back() - grid.origin[axis];
  }
}

void complete_edges(const rt::Deck& deck, GridOptions& grid) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::optional<EdgesData>& given = *by_axis(grid.coordinates)[axis];
    if (!given) continue;
    const std::string path = std::string("grid.coordinates.") + "xyz"[axis];
    if (axis >= grid.extent.size())
      throw deck.error(path, fmt::format("'{}': a {}-dimensional grid has no such axis", path,
                                         grid.extent.size()));
    if (grid.extent[axis] > most_stretched_cells)
      throw deck.error(path,
                       fmt::format("'{}': an axis whose cells are stretched has {} cells at most, "
                                   "and this one {}: each rank knows all its edges",
                                   path, most_stretched_cells, grid.extent[axis]));
    GridDescription described;
    described.dimensions = static_cast<int>(axis) + 1;
    described.extent[axis] = grid.extent[axis];
    described.origin[axis] = grid.origin[axis];
    described.length[axis] = grid.length[axis];
    grid.edges[axis] = described.edges[axis] = edges_of(*given, grid, axis);
    try {
      require_edges(described);
    } catch (const rt::Error& fault) {
      throw deck.error(path, fmt::format("'{}': {}", path, fault.what()));
    }
  }
}

}  // namespace

rt::Schema<GridOptions> grid_schema() {
  return rt::Schema<GridOptions>{
      key("extent", &GridOptions::extent)
          .required()
          .minimum(1)
          .length(1, 3)
          .example("[64, 64]")
          .about("number of cells along x, y, z; their number is the dimension"),
      key("length", &GridOptions::length)
          .above(0.0)
          .unit("m")
          .about("length of the domain along each axis; default: cubic cells, longest axis 1"),
      key("origin", &GridOptions::origin).unit("m").about("lower corner; default: zeros"),
      key("periodic", &GridOptions::periodic)
          .about("which axes are periodic; default: none")
          .example("[false, true]"),
      key("balance", &GridOptions::balance)
          .choices({"none", "watch", "arrivals"})
          .about("arrivals: ranks that are late again and again get smaller blocks, at checkpoints "
                 "and restarts; results have the same bits. watch: the report says what that "
                 "would gain")}
      .section("coordinates", &GridOptions::coordinates, coordinates_schema(),
               "cells that are stretched: along each axis a formula for the place where a cell "
               "begins, of the place where it would if all cells were equal; or a list of all "
               "edges; or {file: NAME} with all edges, as text, a `column` of a table (CSV) or a "
               "`dataset` (HDF5)")
      .section("weights", &GridOptions::weights, weights_schema(),
               "what cells cost: ranks get blocks that cost the same, not blocks of the same size; "
               "results have the same bits");
}

GridDescription description_of(const GridOptions& options) {
  GridDescription grid;
  grid.dimensions = static_cast<int>(options.extent.size());
  std::ranges::copy(options.extent, grid.extent.begin());
  std::ranges::copy(options.length, grid.length.begin());
  std::ranges::copy(options.origin, grid.origin.begin());
  std::ranges::copy(options.periodic, grid.periodic.begin());
  grid.edges = options.edges;
  return grid;
}

void complete_grid_options(const rt::Deck& deck, GridOptions& grid) {
  const auto dimensions = grid.extent.size();
  refuse_too_many_cells(deck, grid.extent);
  if (grid.length.empty()) {
    const long long longest = *std::max_element(grid.extent.begin(), grid.extent.end());
    for (const long long cells : grid.extent)
      grid.length.push_back(static_cast<double>(cells) / static_cast<double>(longest));
  }
  fill(deck, "grid.length", grid.length, dimensions, 1.0);
  fill(deck, "grid.origin", grid.origin, dimensions, 0.0);
  fill(deck, "grid.periodic", grid.periodic, dimensions, false);
  take_ends_of_lists(deck, grid);
  refuse_cells_in_one_place(deck, grid);
  complete_edges(deck, grid);
}

void check_weights(const rt::Deck& deck, const WeightOptions& weights,
                   const FormulaConstants& names) {
  if (!weights.formula.empty() && !weights.file.empty())
    throw deck.error("grid.weights.file", "'grid.weights' has both a formula and a file",
                     "Give one of them.");
  if (weights.file.empty() != weights.dataset.empty())
    throw deck.error("grid.weights.file", "'grid.weights' wants a file and a dataset in it");
  std::error_code ignored;
  if (!weights.file.empty() && !std::filesystem::is_regular_file(weights.file, ignored))
    throw deck.error("grid.weights.file", fmt::format("there is no file '{}'", weights.file));
  if (weights.formula.empty()) return;
  const std::string fault = Formula::fault(weights.formula, names);
  if (!fault.empty()) throw deck.error("grid.weights.formula", "'grid.weights.formula': " + fault);
  if (Formula(weights.formula, names).depends_on_time())
    throw deck.error("grid.weights.formula",
                     "'grid.weights.formula' depends on t, but grids are cut once",
                     "A restart cuts anew.");
}

}  // namespace cartwright::grid
