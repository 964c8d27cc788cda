// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cartwright/grid/run/field_info.hpp>
#include <cartwright/rt/schema.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace cartwright::grid {

class Run;

struct NoParameters {};

/// A solver as `run` knows it, its parameters' type erased.
struct SolverEntry {
  std::string name;
  std::string about;
  std::vector<FieldInfo> fields;
  /// Adds the solver's own keys to its section.
  std::function<void(rt::SectionNode& section)> bind;
  /// By dimension - 1; empty where the solver has none.
  std::array<std::function<void(Run&)>, 3> functions;
  bool bears_stretched_cells = false;
};

/// Builds the entry of one solver:
/// `Solver("heat", "heat equation", schema()).field("temperature", "K").function(heat<1>,
/// heat<2>)`.
template <class Parameters = NoParameters>
class Solver {
 public:
  using Function = void (*)(Run&, const Parameters&);

  /// `name` is what the deck's `solver` says, and the name of the section with the parameters.
  Solver(std::string name, std::string about, rt::Schema<Parameters> schema = {}) {
    entry_.name = std::move(name);
    entry_.about = std::move(about);
    entry_.bind = [schema = std::move(schema), parameters = parameters_](rt::SectionNode& section) {
      schema.bind(section, *parameters);
    };
  }

  /// Declares a field that decks may name.
  Solver&& field(std::string name, std::string unit = {}) && {
    entry_.fields.push_back({std::move(name), std::move(unit)});
    return std::move(*this);
  }
  /// The same with the components of its elements, in their order:
  /// `.field("gas", {{"density", "kg/m3"}, cw::per_axis("velocity", "m/s"), {"pressure", "Pa"}})`.
  Solver&& field(std::string name, std::vector<ComponentInfo> components) && {
    entry_.fields.push_back({std::move(name), {}, std::move(components)});
    return std::move(*this);
  }

  /// What holds on the faces of the field declared last, where the deck says nothing:
  /// `.default_boundary("outflow")`, `.default_boundary("dirichlet", 300)`. Without it: Dirichlet
  /// 0.
  Solver&& default_boundary(std::string kind, double value = 0.0) && {
    entry_.fields.back().default_boundary = {std::move(kind), value};
    return std::move(*this);
  }
  /// Decks may stretch cells (`grid.coordinates`): all kernels of the solver heed it (with_cells).
  Solver&& stretched_cells() && {
    entry_.bears_stretched_cells = true;
    return std::move(*this);
  }

  /// The solver in 1, 2 and 3 dimensions; nullptr where there is none.
  SolverEntry function(Function one, Function two = nullptr, Function three = nullptr) && {
    const std::array<Function, 3> given{one, two, three};
    for (std::size_t d = 0; d < given.size(); ++d)
      if (given[d] != nullptr)
        entry_.functions[d] = [f = given[d], parameters = parameters_](Run& run) {
          f(run, *parameters);
        };
    return std::move(entry_);
  }

 private:
  std::shared_ptr<Parameters> parameters_ = std::make_shared<Parameters>();
  SolverEntry entry_;
};

Solver(std::string, std::string)->Solver<NoParameters>;

}  // namespace cartwright::grid
