// SPDX-License-Identifier: Apache-2.0
#include <cartwright/grid/run/named_function.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace cartwright::grid {
namespace {

using Point = std::array<double, 3>;

double number(const FunctionNumbers& given, const std::string& name, double standard) {
  const auto found = given.find(name);
  return found == given.end() ? standard : found->second.front();
}

/// One value an axis; a single given number holds for all axes.
Point point(const FunctionNumbers& given, const std::string& name, const Point& standard) {
  const auto found = given.find(name);
  if (found == given.end()) return standard;
  Point result = standard;
  for (std::size_t axis = 0; axis < result.size(); ++axis)
    if (found->second.size() == 1 || axis < found->second.size())
      result[axis] = found->second.size() == 1 ? found->second.front() : found->second[axis];
  return result;
}

Point corner(const GridDescription& grid, double fraction) {
  Point result{};
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(grid.dimensions); ++axis)
    result[axis] = grid.origin[axis] + fraction * grid.length[axis];
  return result;
}

PointFunction make_zero(const FunctionNumbers&, const GridDescription&) {
  return [](const Point&, int) { return 0.0; };
}

PointFunction make_constant(const FunctionNumbers& given, const GridDescription&) {
  return [value = number(given, "value", 1.0)](const Point&, int) { return value; };
}

PointFunction make_gaussian(const FunctionNumbers& given, const GridDescription& grid) {
  const int dimensions = grid.dimensions;
  const double shortest = *std::min_element(grid.length.begin(), grid.length.begin() + dimensions);
  return [dimensions, centre = point(given, "centre", corner(grid, 0.5)),
          height = number(given, "height", 1.0), width = number(given, "width", 0.1 * shortest),
          base = number(given, "base", 0.0)](const Point& at, int) {
    double squared = 0.0;
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(dimensions); ++axis)
      squared += (at[axis] - centre[axis]) * (at[axis] - centre[axis]);
    return base + height * std::exp(-squared / (2.0 * width * width));
  };
}

PointFunction make_sine(const FunctionNumbers& given, const GridDescription& grid) {
  return [grid, amplitude = number(given, "amplitude", 1.0),
          half_waves = point(given, "half_waves", {1, 1, 1})](const Point& at, int) {
    double product = amplitude;
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(grid.dimensions); ++axis)
      product *= std::sin(std::numbers::pi * half_waves[axis] * (at[axis] - grid.origin[axis]) /
                          grid.length[axis]);
    return product;
  };
}

PointFunction make_box(const FunctionNumbers& given, const GridDescription& grid) {
  return [dimensions = grid.dimensions, lower = point(given, "lower", corner(grid, 0.25)),
          upper = point(given, "upper", corner(grid, 0.75)), inside = number(given, "inside", 1.0),
          outside = number(given, "outside", 0.0)](const Point& at, int) {
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(dimensions); ++axis)
      if (at[axis] < lower[axis] || at[axis] > upper[axis]) return outside;
    return inside;
  };
}

/// splitmix64: a hash of a point's number, so that values don't depend on who owns the point.
std::uint64_t scramble(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15U;
  value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9U;
  value = (value ^ (value >> 27U)) * 0x94d049bb133111ebU;
  return value ^ (value >> 31U);
}

/// From the grid's begin to `place`, in half cells: an integer for points of both centrings.
long long half_cells(const GridDescription& grid, int axis, double place) {
  const auto a = static_cast<std::size_t>(axis);
  if (!grid.is_stretched(axis))
    return std::llround(2.0 * (place - grid.origin[a]) / grid.spacing(axis));
  const std::vector<double>& edges = grid.edges[a];
  const auto above = std::upper_bound(edges.begin() + 1, edges.end() - 1, place);
  const auto cell = above - edges.begin() - 1;
  return 2 * cell + std::llround(2.0 * (place - *(above - 1)) / (*above - *(above - 1)));
}

PointFunction make_random(const FunctionNumbers& given, const GridDescription& grid) {
  const auto seed =
      static_cast<std::uint64_t>(static_cast<std::int64_t>(number(given, "seed", 1.0)));
  return [grid, seed, low = number(given, "low", 0.0), high = number(given, "high", 1.0)](
             const Point& at, int component) {
    std::uint64_t hash = scramble(seed + static_cast<std::uint64_t>(component) * 0x10001U);
    for (int axis = 0; axis < grid.dimensions; ++axis) {
      const auto a = static_cast<std::size_t>(axis);
      hash = scramble(hash ^ static_cast<std::uint64_t>(half_cells(grid, axis, at[a])));
    }
    constexpr double two_to_the_minus_53 = 0x1p-53;
    return low + (high - low) * (static_cast<double>(hash >> 11U) * two_to_the_minus_53);
  };
}

}  // namespace

const NamedFunction::Parameter* NamedFunction::find(const std::string& parameter) const {
  const auto found = std::find_if(parameters.begin(), parameters.end(),
                                  [&](const Parameter& p) { return p.name == parameter; });
  return found == parameters.end() ? nullptr : &*found;
}

const std::vector<NamedFunction>& named_functions() {
  static const std::vector<NamedFunction> functions{
      {"zero", "0 everywhere", {}, make_zero},
      {"constant", "the same everywhere", {{"value", "1"}}, make_constant},
      {"gaussian",
       "a bell",
       {{"centre", "the middle", true},
        {"height", "1"},
        {"width", "a tenth of the shortest length"},
        {"base", "0"}},
       make_gaussian},
      {"sine",
       "product of sine waves that vanish on all faces",
       {{"amplitude", "1"}, {"half_waves", "1 along each axis", true}},
       make_sine},
      {"box",
       "one value in a box, another one around it",
       {{"lower", "a quarter along each axis", true},
        {"upper", "three quarters", true},
        {"inside", "1"},
        {"outside", "0"}},
       make_box},
      {"random",
       "even between low and high, the same on any number of ranks",
       {{"low", "0"}, {"high", "1"}, {"seed", "1"}},
       make_random}};
  return functions;
}

const NamedFunction* find_named_function(const std::string& name) {
  for (const auto& function : named_functions())
    if (function.name == name) return &function;
  return nullptr;
}

}  // namespace cartwright::grid
