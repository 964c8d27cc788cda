// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>
#include <optional>

namespace cartwright::grid {

/// What holds on a physical face. Values are in the field's unit (Dirichlet), or in it per unit of
/// length, along the outward normal (Neumann).
struct BoundaryCondition {
  enum class Kind { dirichlet, neumann };
  /// (position on the face, time, component) → value. Called on the host.
  using Value = std::function<double(const std::array<double, 3>&, double, int)>;

  Kind kind = Kind::dirichlet;
  Value value;  ///< used when `uniform` is empty
  std::optional<double> uniform = 0.0;
  bool constant_in_time = true;  ///< `value` is then evaluated once

  [[nodiscard]] static BoundaryCondition dirichlet(double value) {
    return {Kind::dirichlet, {}, value, true};
  }
  [[nodiscard]] static BoundaryCondition neumann(double derivative) {
    return {Kind::neumann, {}, derivative, true};
  }
};

}  // namespace cartwright::grid
