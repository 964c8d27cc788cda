// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cartwright/plan/models/time_text.hpp>
#include <cmath>
#include <cstdio>

namespace cartwright::plan {

std::string time_text(Picoseconds time) {
  struct Unit {
    double picoseconds;
    const char* name;
  };
  constexpr std::array units{Unit{1e12, "s"}, Unit{1e9, "ms"}, Unit{1e6, "us"}, Unit{1e3, "ns"}};
  const auto value = static_cast<double>(time);
  const Unit* unit = units.begin();
  while (unit + 1 != units.end() && std::abs(value) < unit->picoseconds) ++unit;
  const double shown = value / unit->picoseconds;
  const int before_point =
      std::abs(shown) >= 1 ? static_cast<int>(std::log10(std::abs(shown))) + 1 : 1;
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), "%.*f %s", before_point >= 4 ? 0 : 4 - before_point,
                shown, unit->name);
  return text.data();
}

}  // namespace cartwright::plan
