// SPDX-License-Identifier: Apache-2.0
#include "quantity.hpp"

#include <fmt/format.h>

#include <array>
#include <cartwright/rt/number_text.hpp>
#include <cartwright/rt/suggestion.hpp>
#include <charconv>
#include <cmath>
#include <span>
#include <vector>

namespace cartwright::mapping {
namespace {

/// A unit is 10^exponent times factor; factors are powers of two, so nothing is rounded twice.
struct Unit {
  std::string_view name;
  int exponent;
  double factor = 1.0;
  bool inverse = false;  // time per byte among bandwidths
};

constexpr std::array<Unit, 6> time_units{
    {{"s", 0}, {"ms", -3}, {"us", -6}, {"ns", -9}, {"ps", -12}, {"µs", -6}}};

constexpr std::array<Unit, 18> bandwidth_units{{{"B/s", 0},
                                                {"kB/s", 3},
                                                {"MB/s", 6},
                                                {"GB/s", 9},
                                                {"TB/s", 12},
                                                {"KiB/s", 0, 1024.0},
                                                {"MiB/s", 0, 1048576.0},
                                                {"GiB/s", 0, 1073741824.0},
                                                {"bit/s", 0, 0.125},
                                                {"kbit/s", 3, 0.125},
                                                {"Mbit/s", 6, 0.125},
                                                {"Gbit/s", 9, 0.125},
                                                {"Tbit/s", 12, 0.125},
                                                {"s/B", 0, 1.0, true},
                                                {"ms/B", -3, 1.0, true},
                                                {"us/B", -6, 1.0, true},
                                                {"ns/B", -9, 1.0, true},
                                                {"ps/B", -12, 1.0, true}}};

constexpr std::array<Unit, 7> size_units{{{"B", 0},
                                          {"kB", 3},
                                          {"MB", 6},
                                          {"GB", 9},
                                          {"KiB", 0, 1024.0},
                                          {"MiB", 0, 1048576.0},
                                          {"GiB", 0, 1073741824.0}}};

struct NumberAndUnit {
  double number = 0.0;
  const Unit* unit = nullptr;
};

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// "1.5e3" times 10^exponent as a text, so that it is rounded once.
std::string with_exponent(std::string_view number, int exponent) {
  const auto e = number.find_first_of("eE");
  int own = 0;
  if (e != std::string_view::npos) {
    auto digits = number.substr(e + 1);
    if (digits.starts_with('+')) digits.remove_prefix(1);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), own);
    if (error != std::errc{} || end != digits.data() + digits.size()) return {};
  }
  return fmt::format("{}e{}", number.substr(0, e), own + exponent);
}

std::string unknown_unit(std::string_view name, std::span<const Unit> units) {
  std::vector<std::string> names;
  for (const Unit& unit : units) names.emplace_back(unit.name);
  if (name.empty()) return fmt::format("add a unit: {}", fmt::join(names, ", "));
  if (const auto near = rt::closest(name, names))
    return fmt::format("'{}' is no unit here, did you mean '{}'?", name, *near);
  return fmt::format("'{}' is no unit here, but {} are", name, fmt::join(names, ", "));
}

/// The number in front and the unit behind.
QuantityText<NumberAndUnit> split_quantity(std::string_view text, std::span<const Unit> units) {
  text = trimmed(text);
  const auto last = text.find_last_of("0123456789.");
  if (last == std::string_view::npos) return {};
  const std::string_view name = trimmed(text.substr(last + 1));
  for (const Unit& unit : units) {
    if (unit.name != name) continue;
    const auto number =
        rt::parse_number(with_exponent(trimmed(text.substr(0, last + 1)), unit.exponent));
    if (!number.value) return {std::nullopt, number.hint};
    if (*number.value < 0.0) return {std::nullopt, "it can't be negative"};
    return {NumberAndUnit{*number.value * unit.factor, &unit}, {}};
  }
  if (!rt::parse_number(trimmed(text.substr(0, last + 1))).value) return {};
  return {std::nullopt, unknown_unit(name, units)};
}

bool is_plain_zero(std::string_view text) {
  const auto number = rt::parse_number(trimmed(text));
  return number.value && *number.value == 0.0;
}

/// Digits of the shortest text of `value` without a point, and the exponent of the first one.
struct Decimal {
  std::string digits;
  int exponent = 0;
};

Decimal decimal_of(const std::string& scientific) {
  Decimal decimal;
  const auto e = scientific.find('e');
  for (const char c : scientific.substr(0, e))
    if (c != '.') decimal.digits += c;
  decimal.exponent = std::stoi(scientific.substr(e + 1));
  while (decimal.digits.size() > 1 && decimal.digits.back() == '0') decimal.digits.pop_back();
  return decimal;
}

Decimal shortest_decimal(double value) {
  std::array<char, 64> buffer{};
  const auto end =
      std::to_chars(buffer.begin(), buffer.end(), value, std::chars_format::scientific).ptr;
  return decimal_of(std::string(buffer.data(), end));
}

/// The decimal divided by 10^exponent, without an exponent of its own.
std::string shifted(const Decimal& decimal, int exponent) {
  const int point = decimal.exponent - exponent + 1;  // digits in front of the point
  const auto size = static_cast<int>(decimal.digits.size());
  if (point <= 0) return "0." + std::string(static_cast<std::size_t>(-point), '0') + decimal.digits;
  if (point >= size)
    return decimal.digits + std::string(static_cast<std::size_t>(point - size), '0');
  const auto front = static_cast<std::size_t>(point);
  return decimal.digits.substr(0, front) + "." + decimal.digits.substr(front);
}

/// With the largest of the units that leaves a digit in front of the point, or the smallest.
std::string with_fitting_unit(const Decimal& decimal, std::initializer_list<Unit> descending) {
  for (const Unit& unit : descending) {
    if (decimal.exponent >= unit.exponent || &unit == descending.end() - 1)
      return fmt::format("{} {}", shifted(decimal, unit.exponent), unit.name);
  }
  return {};
}

std::string bandwidth_decimal_text(const Decimal& decimal) {
  return with_fitting_unit(decimal, {{"GB/s", 9}, {"MB/s", 6}, {"kB/s", 3}, {"B/s", 0}});
}

/// The bandwidth with the fewest digits whose inverse is `byte_time`, if there is one.
std::optional<Decimal> bandwidth_of(double byte_time) {
  constexpr int most_digits = 17;
  for (int digits = 1; digits <= most_digits; ++digits) {
    const std::string text = fmt::format("{:.{}e}", 1.0 / byte_time, digits - 1);
    if (1.0 / std::stod(text) == byte_time) return decimal_of(text);
  }
  return std::nullopt;
}

}  // namespace

QuantityText<double> parse_time(std::string_view text) {
  if (is_plain_zero(text)) return {0.0, {}};
  const auto split = split_quantity(text, time_units);
  if (!split.value) return {std::nullopt, split.hint};
  return {split.value->number, {}};
}

QuantityText<double> parse_byte_time(std::string_view text) {
  if (trimmed(text) == "unlimited") return {0.0, {}};
  const auto split = split_quantity(text, bandwidth_units);
  if (!split.value) return {std::nullopt, split.hint};
  if (split.value->unit->inverse) return {split.value->number, {}};
  const double byte_time = 1.0 / split.value->number;
  if (!std::isfinite(byte_time)) return {std::nullopt, "nothing would ever arrive"};
  return {byte_time, {}};
}

QuantityText<double> parse_bandwidth(std::string_view text) {
  const auto split = split_quantity(text, bandwidth_units);
  if (!split.value) return {std::nullopt, split.hint};
  if (split.value->number == 0.0) return {std::nullopt, "it must be greater than 0"};
  return {split.value->unit->inverse ? 1.0 / split.value->number : split.value->number, {}};
}

QuantityText<plan::Count> parse_bytes(std::string_view text) {
  if (const auto plain = rt::parse_integer(trimmed(text)); plain.value && *plain.value >= 0)
    return {plan::Count{*plain.value}, {}};
  const auto split = split_quantity(text, size_units);
  if (!split.value) return {std::nullopt, split.hint};
  const double bytes = split.value->number;
  constexpr double largest = 9e15;  // still exact as a double
  if (bytes != std::floor(bytes) || bytes > largest)
    return {std::nullopt, "it is no whole number of bytes"};
  return {static_cast<plan::Count>(bytes), {}};
}

std::string time_text(double seconds) {
  if (seconds == 0.0) return "0 s";
  return with_fitting_unit(shortest_decimal(seconds),
                           {{"s", 0}, {"ms", -3}, {"us", -6}, {"ns", -9}, {"ps", -12}});
}

std::string byte_time_text(double seconds_per_byte) {
  if (seconds_per_byte == 0.0) return "unlimited";
  const Decimal time = shortest_decimal(seconds_per_byte);
  const auto bandwidth = bandwidth_of(seconds_per_byte);
  if (bandwidth && bandwidth->digits.size() <= time.digits.size())
    return bandwidth_decimal_text(*bandwidth);
  return with_fitting_unit(time, {{"s/B", 0}, {"ms/B", -3}, {"us/B", -6}, {"ns/B", -9}});
}

std::string bandwidth_text(double bytes_per_second) {
  return bandwidth_decimal_text(shortest_decimal(bytes_per_second));
}

std::string bytes_text(plan::Count bytes) {
  constexpr plan::Count step = 1024;
  plan::Count value = bytes;
  std::size_t unit = 0;
  constexpr std::array<std::string_view, 4> names{"B", "KiB", "MiB", "GiB"};
  for (; value >= step && value % step == 0 && unit + 1 < names.size(); value /= step) ++unit;
  return fmt::format("{} {}", value, names.at(unit));
}

}  // namespace cartwright::mapping
