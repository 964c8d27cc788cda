// SPDX-License-Identifier: Apache-2.0
#include "axis_numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace cartwright::grid {
namespace {

/// From number to number, and how many short ticks that makes.
struct TickStep {
  double width = 1;
  int parts = 5;
  int exponent = 0;  ///< of ten, so that width is 1, 2 or 5 of that
};

/// The finest of … 1, 2, 5, 10, 20 … that is at least `least`, but not above `most`, which has
/// precedence.
TickStep tick_step(double least, double most) {
  constexpr double rounding = 1 + 1e-9;
  TickStep step;
  const int exponent = static_cast<int>(std::floor(std::log10(least)));
  for (int i = -1; i < 4; ++i) {
    const auto [factor, parts] = std::array{std::pair{1.0, 5}, std::pair{2.0, 4},
                                            std::pair{5.0, 5}}[static_cast<std::size_t>(i + 3) % 3];
    const int power = exponent + (i < 0 ? -1 : i / 3);
    const double width = factor * std::pow(10.0, power);
    if (i >= 0 && width > most * rounding) break;
    step = {width, parts, power};
    if (least <= width * rounding) break;
  }
  return step;
}

/// "10⁻³"
std::string power_of_ten(int exponent) {
  constexpr std::array digits{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string power = exponent < 0 ? "10⁻" : "10";
  for (const char digit : std::to_string(std::abs(exponent)))
    power += digits[static_cast<std::size_t>(digit - '0')];
  return power;
}

}  // namespace

std::string AxisNumbers::label(const std::string& name, const std::string& unit) const {
  std::string text = name;
  if (offset != 0) text += fmt::format(" {} {:.12g}", offset < 0 ? "+" : "−", std::abs(offset));
  std::string in = exponent == 0 ? std::string{} : power_of_ten(exponent);
  if (!in.empty() && !unit.empty()) in += ' ';
  in += unit;
  return in.empty() ? text : fmt::format("{}  [{}]", text, in);
}

AxisNumbers axis_numbers(ValueRange range, double most) {
  constexpr double most_digits = 2e4;  // numbers of so many steps have too many to be read
  constexpr double rounding = 1e-6;    // of a step
  AxisNumbers axis;
  const double half = 0.5 * range.upper - 0.5 * range.lower;
  const TickStep step = tick_step(2 * (half / std::max(2.0, most)), half);
  double largest = std::max(std::abs(range.lower), std::abs(range.upper));
  if (largest / step.width > most_digits) {
    const double coarse = 10 * std::pow(10.0, std::ceil(std::log10(half)));
    axis.offset = std::floor(range.lower / coarse) * coarse;
    largest = std::max(std::abs(range.lower - axis.offset), std::abs(range.upper - axis.offset));
  }
  const int order = static_cast<int>(std::floor(std::log10(largest)));
  if (order < -2 || order > 4) axis.exponent = order - ((order % 3) + 3) % 3;
  const int decimals = std::max(0, axis.exponent - step.exponent);
  const double unit = std::pow(10.0, axis.exponent);
  const double fine = step.width / step.parts;
  const double below = range.lower - axis.offset, above = range.upper - axis.offset;
  const auto first = static_cast<long long>(std::ceil(below / fine - rounding));
  const auto last = static_cast<long long>(std::floor(above / fine + rounding));
  for (long long i = first; i <= last; ++i) {
    AxisNumbers::Tick tick{axis.offset + static_cast<double>(i) * fine, {}};
    if (i % step.parts == 0) {
      const long long steps = i / step.parts;
      tick.number =
          fmt::format("{:.{}f}", static_cast<double>(steps) * step.width / unit, decimals);
    }
    axis.ticks.push_back(std::move(tick));
  }
  return axis;
}

}  // namespace cartwright::grid
