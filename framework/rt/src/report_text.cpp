// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cartwright/rt/report.hpp>
#include <iterator>
#include <string>
#include <type_traits>

namespace cartwright::rt {
namespace {

std::string value_text(const Report::Value& value) {
  return std::visit(
      [](const auto& given) -> std::string {
        using Given = std::decay_t<decltype(given)>;
        if constexpr (std::is_same_v<Given, bool>) {
          return given ? "yes" : "no";
        } else if constexpr (std::is_same_v<Given, double>) {
          return fmt::format("{:.5g}", given);
        } else {
          return fmt::format("{}", given);
        }
      },
      value);
}

std::string seconds_text(double seconds) {
  if (seconds >= 1000.0) return fmt::format("{:.0f}", seconds);
  if (seconds >= 1.0) return fmt::format("{:.2f}", seconds);
  return fmt::format("{:.4f}", seconds);
}

// How many columns a UTF-8 text takes (near enough: one for each code point).
std::size_t columns(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
  }));
}

std::string padded(const std::string& text, std::size_t width) {
  return text + std::string(width - std::min(width, columns(text)), ' ');
}

void append(std::string& text, const Report::Section& section, std::size_t width) {
  text += section.title() + '\n';
  for (const auto& entry : section.entries()) {
    text += "  " + padded(entry.key, width) + "  " + value_text(entry.value);
    if (!entry.unit.empty()) text += ' ' + entry.unit;
    text += '\n';
  }
}

void append(std::string& text, const TimeTable& times, std::size_t width) {
  text += padded("time in", width + 2) + fmt::format("  {:>9} {:>9} {:>9} {:>7} {:>11} {:>10}\n",
                                                     "min s", "mean s", "max s", "share", "count",
                                                     "moved");
  const auto line_of = [&](const RegionStatistics& region) {
    const double whole = times.whole.mean;
    const double share = whole > 0.0 ? 100.0 * region.mean / whole : 0.0;
    const std::string count = region.count > 0 ? fmt::format("{}", region.count) : std::string();
    std::string line =
        "  " + padded(region.name, width) +
        fmt::format("  {:>9} {:>9} {:>9} {:>5.1f} % {:>11} {:>10}", seconds_text(region.minimum),
                    seconds_text(region.mean), seconds_text(region.maximum), share, count,
                    region.bytes == 0 ? "" : readable_bytes(region.bytes));
    line.erase(line.find_last_not_of(' ') + 1);
    return line + '\n';
  };
  for (const auto& region : times.regions) text += line_of(region);
  text += line_of(times.whole);
}

}  // namespace

std::string Report::text() const {
  std::size_t width = 16;
  for (const auto& section : sections_) {
    for (const auto& entry : section.entries()) width = std::max(width, columns(entry.key));
  }
  for (const auto& region : times_.regions) width = std::max(width, columns(region.name));
  width = std::min<std::size_t>(width, 40);
  std::string text;
  for (const auto& section : sections_) {
    if (!section.entries().empty()) append(text, section, width);
  }
  if (!times_.regions.empty()) append(text, times_, width);
  return text;
}

std::string readable_bytes(std::int64_t bytes) {
  constexpr std::array units{"bytes", "KiB", "MiB", "GiB", "TiB", "PiB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; value >= 1024.0 && unit + 1 < units.size(); ++unit) value /= 1024.0;
  return fmt::format("{:.{}f} {}", value, unit == 0 ? 0 : 1, units[unit]);
}

}  // namespace cartwright::rt
