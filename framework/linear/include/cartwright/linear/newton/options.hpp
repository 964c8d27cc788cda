// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/linear/solve/options.hpp>
#include <cartwright/rt/schema.hpp>

namespace cartwright::linear {

/// How a system that isn't linear is solved: the section `newton` of whatever solver has one.
struct NewtonOptions {
  double tolerance = 1e-8;  ///< residual to reach, as a fraction of the first one
  long long limit = 50;     ///< corrections
  Options linear{.method = Method::bicgstab};  ///< its tolerance is chosen anew each time
};

/// For `.section("newton", &Parameters::newton, cw::linear::newton_schema(), …)`.
[[nodiscard]] rt::Schema<NewtonOptions> newton_schema();

}  // namespace cartwright::linear
