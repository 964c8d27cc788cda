// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/run/field_base.hpp>
#include <cartwright/grid/run/formula.hpp>
#include <span>

namespace cartwright::grid {

/// How far a field is from its exact solution.
struct ErrorNorms {
  double maximum = 0.0;
  double l2 = 0.0;  ///< root of the mean square
};

/// Collective. `exact`: one formula, or one a component. The same bits on any number of ranks. NaN
/// anywhere makes both NaN.
[[nodiscard]] ErrorNorms error_norms(const FieldBase& field, std::span<const Formula> exact,
                                     double time);

}  // namespace cartwright::grid
