// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cartwright/rt/rank_text.hpp>
#include <cstddef>

namespace cartwright::rt {

std::string ranks_text(std::span<const int> ranks) {
  std::string text = ranks.size() == 1 ? "rank " : "ranks ";
  for (std::size_t i = 0; i < ranks.size();) {
    std::size_t last = i;
    while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1) ++last;
    if (i > 0) text += ", ";
    text += fmt::format("{}", ranks[i]);
    if (last > i) text += fmt::format("{}{}", last > i + 1 ? "-" : ", ", ranks[last]);
    i = last + 1;
  }
  return text;
}

}  // namespace cartwright::rt
