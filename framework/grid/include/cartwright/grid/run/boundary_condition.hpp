// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <vector>

namespace cartwright::grid {

/// What holds on a physical face, or on a part of it: the same kind for all components of an
/// element, or one for each. With u in the field's unit and n along the outward normal:
struct BoundaryCondition {
  enum class Kind {
    dirichlet,  ///< u = value on the face, to second order
    neumann,    ///< du/dn = value there
    robin,      ///< du/dn + coefficient u = value there
    inflow      ///< all ghosts have the value: the state outside, whatever is inside
  };
  /// (position on the face, time, component) → value. Called on the host, by several threads at
  /// once.
  using Value = std::function<double(const std::array<double, 3>&, double, int)>;
  /// (position on the face) → whether the condition holds there.
  using Where = std::function<bool(const std::array<double, 3>&)>;

  Kind kind = Kind::dirichlet;
  Value value;  ///< used when `uniform` is empty
  std::optional<double> uniform = 0.0;
  bool constant_in_time = true;  ///< `value` is then evaluated once
  double coefficient = 0.0;      ///< of a Robin condition, in 1 / length, not negative
  std::vector<Kind> kinds = {};  ///< one a component; empty: `kind` holds for all
  Where where = {};              ///< of a part: empty where it holds on what is left of the face
  /// Conditions on parts of the face: of those that hold at a place the first one counts, and this
  /// condition where none does.
  std::vector<BoundaryCondition> parts = {};
  bool constant_in_space = false;  ///< `value` is then evaluated in one place, at any time anew

  [[nodiscard]] static BoundaryCondition dirichlet(double value) {
    return {.kind = Kind::dirichlet, .value = {}, .uniform = value};
  }
  [[nodiscard]] static BoundaryCondition neumann(double derivative) {
    return {.kind = Kind::neumann, .value = {}, .uniform = derivative};
  }
  [[nodiscard]] static BoundaryCondition robin(double coefficient, double value) {
    return {.kind = Kind::robin, .value = {}, .uniform = value, .coefficient = coefficient};
  }
  [[nodiscard]] static BoundaryCondition inflow(double value) {
    return {.kind = Kind::inflow, .value = {}, .uniform = value};
  }
  /// The same everywhere; components may differ.
  [[nodiscard]] bool is_uniform() const { return uniform || constant_in_space; }
  [[nodiscard]] Kind kind_of(int component) const {
    return kinds.empty() ? kind : kinds[static_cast<std::size_t>(component)];
  }
};

}  // namespace cartwright::grid
