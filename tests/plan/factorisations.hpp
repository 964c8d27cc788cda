// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace cartwright::plan::test {

/// All sequences of factors, each at least 2, that multiply to a number. Of 1: the empty one.
inline std::vector<std::vector<int>> ordered_factorisations(int number) {
  if (number == 1) return {{}};
  std::vector<std::vector<int>> all;
  for (int first = 2; first <= number; ++first) {
    if (number % first != 0) continue;
    for (auto& rest : ordered_factorisations(number / first)) {
      rest.insert(rest.begin(), first);
      all.push_back(rest);
    }
  }
  return all;
}

}  // namespace cartwright::plan::test
