// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/rt/suggestion.hpp>
#include <cctype>
#include <vector>

namespace cartwright::rt {
namespace {

std::string folded(std::string_view word) {
  std::string result;
  for (const char c : word) {
    result += c == '-' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return result;
}

/// A third of the letters may be wrong, and always one of a word of three or more.
int tolerance(std::size_t letters) {
  return letters < 3 ? 0 : std::max(1, static_cast<int>(letters) / 3);
}

}  // namespace

int edit_distance(std::string_view first, std::string_view second) {
  const std::string a = folded(first), b = folded(second);
  std::vector<int> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int replaced = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return above[b.size()];
}

std::optional<std::string> closest(std::string_view name, std::span<const std::string> candidates) {
  constexpr std::size_t longest_name = 100;  // nobody mistypes a name into something this long
  if (name.size() > longest_name) return std::nullopt;
  const std::string* best = nullptr;
  int best_distance = 0;
  for (const std::string& candidate : candidates) {
    const int distance = edit_distance(name, candidate);
    if (distance > tolerance(std::max(name.size(), candidate.size()))) continue;
    if (best != nullptr && distance >= best_distance) continue;
    best = &candidate;
    best_distance = distance;
  }
  if (best == nullptr) return std::nullopt;
  return *best;
}

std::string did_you_mean(std::string_view name, std::span<const std::string> candidates) {
  const auto best = closest(name, candidates);
  return best ? fmt::format(", did you mean '{}'?", *best) : std::string{};
}

}  // namespace cartwright::rt
