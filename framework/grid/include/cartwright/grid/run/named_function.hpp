// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cartwright/grid/space/grid_description.hpp>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace cartwright::grid {

/// Numbers of a named function: a scalar has one, a point one an axis.
using FunctionNumbers = std::map<std::string, std::vector<double>>;
/// (position, component) → value.
using PointFunction = std::function<double(const std::array<double, 3>&, int)>;

/// Initial data that decks can ask for by name.
struct NamedFunction {
  struct Parameter {
    std::string name;
    std::string standard;  ///< what holds if the deck says nothing, for people
    bool per_axis = false;
  };
  std::string name;
  std::string about;
  std::vector<Parameter> parameters;
  PointFunction (*make)(const FunctionNumbers& given, const GridDescription& grid);

  [[nodiscard]] const Parameter* find(const std::string& parameter) const;
};

/// zero, constant, gaussian, sine, box, random.
[[nodiscard]] const std::vector<NamedFunction>& named_functions();
/// nullptr if there is none of that name.
[[nodiscard]] const NamedFunction* find_named_function(const std::string& name);

}  // namespace cartwright::grid
