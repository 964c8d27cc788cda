// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <cartwright/rt/duration.hpp>
#include <cartwright/rt/number_text.hpp>
#include <cmath>
#include <utility>

namespace cartwright::rt {
namespace {

constexpr std::array<std::pair<std::string_view, double>, 13> units{{{"d", 86400.0},
                                                                     {"day", 86400.0},
                                                                     {"days", 86400.0},
                                                                     {"h", 3600.0},
                                                                     {"hour", 3600.0},
                                                                     {"hours", 3600.0},
                                                                     {"m", 60.0},
                                                                     {"min", 60.0},
                                                                     {"minutes", 60.0},
                                                                     {"s", 1.0},
                                                                     {"seconds", 1.0},
                                                                     {"ms", 1e-3},
                                                                     {"us", 1e-6}}};

std::string_view skip_spaces(std::string_view text) {
  const auto first = text.find_first_not_of(' ');
  return first == std::string_view::npos ? std::string_view{} : text.substr(first);
}

/// Takes from `text` what consists of `letters` only.
std::string_view take(std::string_view& text, std::string_view letters) {
  const auto size = std::min(text.find_first_not_of(letters), text.size());
  const auto taken = text.substr(0, size);
  text = skip_spaces(text.substr(size));
  return taken;
}

/// "1:30:00" or "1:30" (hours and minutes).
std::optional<Seconds> parse_clock(std::string_view text) {
  double total = 0.0;
  double unit = 3600.0;
  for (bool more = true; more; unit /= 60.0) {
    const auto part = take(text, "0123456789");
    if (part.empty() || part.size() > 6 || unit < 1.0) return std::nullopt;
    total += unit * std::stod(std::string(part));
    more = !text.empty();
    if (more && text.front() != ':') return std::nullopt;
    if (more) text.remove_prefix(1);
  }
  return Seconds(total);
}

}  // namespace

std::optional<Seconds> parse_duration(std::string_view text) {
  text = skip_spaces(text);
  if (const auto plain = parse_number(text); plain.value) return Seconds(*plain.value);
  if (text.find(':') != std::string_view::npos) return parse_clock(text);
  double total = 0.0;
  if (text.empty()) return std::nullopt;
  while (!text.empty()) {
    const auto number = parse_number(take(text, "0123456789."));
    const auto unit_name = take(text, "abcdefghijklmnopqrstuvwxyz");
    double unit = 0.0;
    for (const auto& [name, seconds] : units) {
      if (name == unit_name) unit = seconds;
    }
    if (!number.value || unit == 0.0) return std::nullopt;
    total += *number.value * unit;
  }
  return Seconds(total);
}

std::string format_duration(Seconds duration) {
  const double seconds = duration.count();
  if (!std::isfinite(seconds)) return {};
  const bool is_common = seconds == 0.0 || (seconds >= 1e-3 && seconds <= 1e12);
  if (!is_common) return fmt::format("{}", seconds);
  auto micros = static_cast<long long>(std::llround(seconds * 1e6));
  std::string text;
  for (const auto& [name, size] : {std::pair{"d", 86400LL}, {"h", 3600LL}, {"m", 60LL}}) {
    const long long count = micros / (size * 1'000'000);
    micros -= count * size * 1'000'000;
    if (count > 0) text += fmt::format("{}{}", count, name);
  }
  if (micros > 0 || text.empty()) text += fmt::format("{}s", static_cast<double>(micros) / 1e6);
  return text;
}

}  // namespace cartwright::rt
