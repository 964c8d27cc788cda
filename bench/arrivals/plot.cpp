// SPDX-License-Identifier: Apache-2.0
#include "plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace cartwright::bench {

namespace {

constexpr double left = 130, width = 620, row_height = 26, top = 40;
// Distinguishable without colours that depend on each other (Okabe and Ito).
constexpr std::array<std::string_view, 8> colours{"#000000", "#0072B2", "#D55E00", "#009E73",
                                                  "#CC79A7", "#E69F00", "#56B4E9", "#8A7F00"};

std::vector<std::string> names_of(const std::vector<PlotRow>& rows) {
  std::vector<std::string> names;
  for (const PlotRow& row : rows)
    for (const auto& [name, time] : row.times)
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  return names;
}

std::string decade_text(int decade) {
  constexpr std::array<std::string_view, 3> units{"ns", "µs", "ms"};
  if (decade >= 0) return fmt::format("{} s", static_cast<long long>(std::pow(10, decade)));
  const int unit = (decade + 9) / 3;
  return fmt::format("{} {}", static_cast<int>(std::pow(10, (decade + 9) % 3)),
                     units[static_cast<std::size_t>(std::clamp(unit, 0, 2))]);
}

}  // namespace

std::string arrivals_svg(const std::string& title, const std::vector<PlotRow>& rows) {
  double least = 1e9, most = 1e-9;
  for (const PlotRow& row : rows)
    for (const auto& [name, time] : row.times) {
      least = std::min(least, std::max(time.lower_quartile, 1e-7));
      most = std::max(most, time.upper_quartile);
    }
  const double first = std::floor(std::log10(least)), last = std::ceil(std::log10(most));
  const auto x = [&](double time) {
    const double place = (std::log10(std::max(time, 1e-7)) - first) / std::max(1.0, last - first);
    return left + width * std::clamp(place, 0.0, 1.0);
  };
  const auto names = names_of(rows);
  const double bottom = top + row_height * static_cast<double>(rows.size());
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{:.0f}\" height=\"{:.0f}\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<text x=\"10\" y=\"20\" "
      "font-size=\"14\">{}</text>\n",
      left + width + 40, bottom + 50 + 16 * std::ceil(static_cast<double>(names.size()) / 3.0),
      title);
  for (int decade = static_cast<int>(first); decade <= static_cast<int>(last); ++decade)
    svg += fmt::format(
        "<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2}\" stroke=\"#ddd\"/>"
        "<text x=\"{0:.1f}\" y=\"{3}\" text-anchor=\"middle\">{4}</text>\n",
        x(std::pow(10.0, decade)), top - 10, bottom, bottom + 16, decade_text(decade));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double y = top + row_height * (static_cast<double>(i) + 0.5);
    svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n", left - 8, y + 4,
                       rows[i].pattern);
    for (std::size_t who = 0; who < rows[i].times.size(); ++who) {
      const auto& [name, time] = rows[i].times[who];
      const auto index = static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
      const double shift =
          14.0 * (static_cast<double>(who) + 0.5) / static_cast<double>(rows[i].times.size()) - 7.0;
      svg += fmt::format(
          "<line x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\"/>"
          "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"/>\n",
          x(time.lower_quartile), x(time.upper_quartile), y + shift, y + shift,
          colours[index % colours.size()], x(time.median), y + shift,
          colours[index % colours.size()]);
    }
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    const double at = left + 220.0 * static_cast<double>(i % 3);
    const double y = bottom + 36 + 16 * static_cast<double>(i / 3);
    svg += fmt::format(
        "<circle cx=\"{}\" cy=\"{}\" r=\"4\" fill=\"{}\"/><text x=\"{}\" y=\"{}\">{}</text>\n", at,
        y - 4, colours[i % colours.size()], at + 8, y, names[i]);
  }
  return svg + "</svg>\n";
}

}  // namespace cartwright::bench
