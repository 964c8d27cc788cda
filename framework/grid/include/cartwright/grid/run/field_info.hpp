// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace cartwright::grid {

/// What a solver says of one component of a field's elements; or, with `is_per_axis`, of as many
/// components as the grid has axes: "velocity" then stands for velocity_x, velocity_y…, a vector.
struct ComponentInfo {
  std::string name;
  std::string unit = {};
  bool is_per_axis = false;
};

/// A vector with a component along each axis of the grid: `per_axis("velocity", "m/s")`.
[[nodiscard]] inline ComponentInfo per_axis(std::string name, std::string unit = {}) {
  return {std::move(name), std::move(unit), true};
}

/// A condition as decks name it, with its value if it has one.
struct DefaultBoundary {
  std::string kind = "dirichlet";
  double value = 0.0;
};

/// A field that a solver declares: decks may give its initial and boundary data; if it is among the
/// fields of `steps` or `show`, it is part of output, pictures and diagnostics.
struct FieldInfo {
  std::string name;
  std::string unit;
  std::vector<ComponentInfo> components = {};  ///< empty: the elements have no named components
  DefaultBoundary default_boundary = {};       ///< on faces of which a deck says nothing
};

/// One component as a grid of some dimension has it.
struct Component {
  std::string name, unit;
  std::string vector = {};  ///< the vector that it belongs to; else empty
  int axis = -1;            ///< of that vector
};

/// Some components of a field that belong together: a number of their own, or a vector.
struct ComponentRange {
  std::string name, unit;
  int first = 0, count = 1;
};

/// All components of an element, in its order.
[[nodiscard]] std::vector<Component> components_of(const FieldInfo& field, int dimensions);
/// The same with vectors whole.
[[nodiscard]] std::vector<ComponentRange> ranges_of(const FieldInfo& field, int dimensions);
/// What decks may call components, on grids of any dimension: also whole vectors.
[[nodiscard]] std::vector<std::string> component_names(const FieldInfo& field);

}  // namespace cartwright::grid
