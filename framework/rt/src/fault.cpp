// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/rt/fault.hpp>
#include <limits>
#include <tuple>

namespace cartwright::rt {
namespace {

/// By line and column; after them what concerns the deck as a whole, the environment, the command
/// line.
auto order(const Fault& fault) {
  const Origin& origin = fault.origin;
  const int line = origin.line > 0 ? origin.line : std::numeric_limits<int>::max();
  return std::tuple(origin.kind, line, origin.column);
}

}  // namespace

void Faults::throw_if_any(const std::string& file_name) const {
  if (faults_.empty()) return;
  std::vector<Fault> sorted = faults_;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Fault& a, const Fault& b) { return order(a) < order(b); });
  constexpr std::size_t most_shown = 40;
  std::string what = sorted.front().message();
  if (sorted.size() > 1) {
    what = fmt::format("{} faults in the configuration{}{}:", sorted.size(),
                       file_name.empty() ? "" : " of ", file_name);
    for (std::size_t i = 0; i < std::min(sorted.size(), most_shown); ++i) {
      what += "\n  " + sorted[i].message();
    }
  }
  if (sorted.size() > most_shown)
    what += fmt::format("\n  … and {} more", sorted.size() - most_shown);
  throw input_error(what, "Nothing was run. `--deck-reference` explains every key.",
                    Reach::all_ranks);
}

}  // namespace cartwright::rt
