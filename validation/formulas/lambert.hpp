// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace cartwright::validation::formulas {

/// W₀: the w ≥ -1 with w eʷ = x; for x ≥ -1/e. Full double precision, except that near the branch
/// point -1/e only half of the digits are determined by x. Throws std::domain_error.
double lambert_w0(double x);

/// W₋₁: the w ≤ -1 with w eʷ = x; for -1/e ≤ x < 0. Throws std::domain_error.
double lambert_w_minus1(double x);

}  // namespace cartwright::validation::formulas
