// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace cartwright::linear {

/// How a solution went.
struct Result {
  bool converged = false;
  long long iterations = 0;
  std::vector<double> residuals;  ///< norms: at the begin, and behind each iteration

  [[nodiscard]] double first() const { return residuals.empty() ? 0.0 : residuals.front(); }
  [[nodiscard]] double last() const { return residuals.empty() ? 0.0 : residuals.back(); }
};

}  // namespace cartwright::linear
