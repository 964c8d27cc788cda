// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/comm/arrivals/history.hpp>

namespace cartwright::comm {

std::vector<std::int64_t> History::busy() const {
  const auto known = static_cast<std::size_t>(std::min<std::uint64_t>(calls_, recent));
  std::vector<std::int64_t> series(known);
  for (std::size_t i = 0; i < known; ++i) series[i] = back(known - 1 - i).busy;
  return series;
}

}  // namespace cartwright::comm
