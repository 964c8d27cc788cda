// SPDX-License-Identifier: Apache-2.0
#include "check_factors.hpp"

#include <cstdint>
#include <stdexcept>
#include <string>

namespace cartwright::plan {

void check_factors(const Team& team, std::span<const int> factors) {
  std::int64_t product = 1;
  for (const int factor : factors) {
    if (factor < 2)
      throw std::invalid_argument("a factor is at least 2, not " + std::to_string(factor));
    product *= factor;
    if (product > team.ranks) break;
  }
  if (product != team.ranks)
    throw std::invalid_argument("the factors don't multiply to " + std::to_string(team.ranks) +
                                " ranks");
}

}  // namespace cartwright::plan
