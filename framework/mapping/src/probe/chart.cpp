// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cartwright/mapping/probe/chart.hpp>
#include <cmath>
#include <limits>

namespace cartwright::mapping {
namespace {

using plan::fits::Point;

constexpr double width = 720, height = 460, left = 80, right = 20, top = 64, bottom = 56;
constexpr double beside = 210;  // for a legend there
constexpr std::array<const char*, 11> colours{"#1f5fa8", "#d1495b", "#2a8f5b", "#8a5fbf",
                                              "#c98a1b", "#57606a", "#1b9aaa", "#7a4b2a",
                                              "#e36bae", "#6a8d00", "#101010"};

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '&') {
      safe += "&amp;";
    } else if (c == '<') {
      safe += "&lt;";
    } else {
      safe += c;
    }
  }
  return safe;
}

/// One axis: from values to pixels, with its ticks.
class Scale {
 public:
  Scale(const ChartAxis& axis, double from, double to)
      : log_(axis.logarithmic), doubles_(axis.doubles), from_(from), to_(to) {}

  void include(double value) {
    if (!shows(value)) return;
    low_ = std::min(low_, place(value));
    high_ = std::max(high_, place(value));
  }
  /// Linear axes begin at 0; nothing has no extent.
  void finish() {
    if (!(low_ <= high_)) low_ = high_ = 0.0;
    if (!log_) low_ = std::min(low_, 0.0);
    if (log_) low_ = std::floor(low_ * 3.0) / 3.0;
    const double extent = high_ - low_;
    high_ += extent > 0.0 ? 0.05 * extent : 1.0;
    // Short axes end at ticks, so that there are at least two.
    if (log_ && !doubles_ && extent < 1.0) {
      low_ = std::min(low_, round_below(low_));
      high_ = -round_below(-high_);
    }
  }
  [[nodiscard]] bool shows(double value) const {
    return std::isfinite(value) && (!log_ || value > 0.0);
  }
  [[nodiscard]] double pixel(double value) const {
    return from_ + (place(value) - low_) / (high_ - low_) * (to_ - from_);
  }
  [[nodiscard]] std::vector<double> ticks() const {
    std::vector<double> values;
    if (log_) return logarithmic_ticks();
    const double raw = (high_ - low_) / 6.0;
    const double power = std::pow(10.0, std::floor(std::log10(raw)));
    const double step = raw <= 2 * power ? 2 * power : raw <= 5 * power ? 5 * power : 10 * power;
    const auto last = static_cast<long long>(std::floor(high_ / step + 1e-9));
    for (auto i = static_cast<long long>(std::ceil(low_ / step)); i <= last; ++i)
      values.push_back(static_cast<double>(i) * step);
    return values;
  }

 private:
  [[nodiscard]] double place(double value) const { return log_ ? std::log10(value) : value; }

  /// The logarithm of 1, 2 or 5 times a power of ten that is not above; of -x what is not below x.
  [[nodiscard]] static double round_below(double logarithm) {
    constexpr double rounding = 1e-9;
    const double power = std::floor(logarithm + rounding), rest = logarithm - power + rounding;
    // 1 / 5 is 2 / 10 and 1 / 2 is 5 / 10: the steps are the same from both sides.
    if (rest >= std::log10(5.0)) return power + std::log10(5.0);
    return rest >= std::log10(2.0) ? power + std::log10(2.0) : power;
  }
  /// Those of first, first * base, first * base^2… that are in sight.
  void add_powers(std::vector<double>& values, double base, double first, int step) const {
    constexpr double rounding = 1e-9;
    const double step_width = std::log10(base), begin = std::log10(first);
    const auto last = static_cast<int>(std::floor((high_ - begin) / step_width + rounding));
    for (int power = static_cast<int>(std::ceil((low_ - begin) / step_width - rounding));
         power <= last; power += step)
      values.push_back(first * std::pow(base, power));
  }
  /// Round numbers: powers of two where these are few and asked for, else powers of ten, or 1, 2
  /// and 5 times those where there are hardly any.
  [[nodiscard]] std::vector<double> logarithmic_ticks() const {
    constexpr std::size_t few = 3, many = 10;
    std::vector<double> values;
    if (doubles_) add_powers(values, 2.0, 1.0, 1);
    if (!values.empty() && values.size() <= many) return values;
    values.clear();
    add_powers(values, 10.0, 1.0, std::max(1, static_cast<int>(std::ceil((high_ - low_) / 8.0))));
    if (values.size() >= few) return values;
    for (const double times : {2.0, 5.0}) add_powers(values, 10.0, times, 1);
    return values;
  }

  bool log_, doubles_;
  double from_, to_;  // pixels
  double low_ = std::numeric_limits<double>::infinity();
  double high_ = -std::numeric_limits<double>::infinity();
};

std::string text_at(double x, double y, const std::string& anchor, const std::string& text,
                    const std::string& more = {}) {
  return fmt::format("<text x='{:.1f}' y='{:.1f}' text-anchor='{}'{}>{}</text>\n", x, y, anchor,
                     more, escaped(text));
}

/// Powers of ten and small multiples of them as such, where digits would have to be counted.
std::string tick_text(double value) {
  constexpr double many = 1e4, few = 1.5e-3, rounding = 1e-9;
  const double power = value > 0.0 ? std::floor(std::log10(value) + rounding) : 0.0;
  const double times = value / std::pow(10.0, power);
  const bool is_multiple = value > 0.0 && std::abs(times - std::round(times)) < rounding;
  if (!is_multiple || (value < many && value > few)) return fmt::format("{:.4g}", value);
  constexpr std::array<const char*, 10> raised{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = times < 1.5 ? "" : fmt::format("{:.0f}·", times);
  text += power < 0.0 ? "10⁻" : "10";
  for (const char digit : fmt::format("{:.0f}", std::abs(power)))
    text += raised.at(static_cast<std::size_t>(digit - '0'));
  return text;
}

std::string axes(const Chart& chart, const Scale& x, const Scale& y) {
  std::string out;
  for (const double value : x.ticks()) {
    const double at = x.pixel(value);
    out += fmt::format("<line x1='{0:.1f}' x2='{0:.1f}' y1='{1}' y2='{2}' class='grid'/>\n", at,
                       top, height - bottom);
    out += text_at(at, height - bottom + 18, "middle", tick_text(value));
  }
  for (const double value : y.ticks()) {
    const double at = y.pixel(value);
    out += fmt::format("<line x1='{1}' x2='{2}' y1='{0:.1f}' y2='{0:.1f}' class='grid'/>\n", at,
                       left, width - right);
    out += text_at(left - 6, at + 4, "end", tick_text(value));
  }
  out += text_at((left + width - right) / 2, height - 14, "middle", chart.x.label);
  out += text_at(18, (top + height - bottom) / 2, "middle", chart.y.label,
                 fmt::format(" transform='rotate(-90 18 {:.1f})'", (top + height - bottom) / 2));
  return out;
}

std::string dots(const ChartSeries& series, const char* colour, const Scale& x, const Scale& y) {
  std::string out;
  for (const Point& p : series.points)
    if (x.shows(p.x) && y.shows(p.y))
      out += fmt::format("<circle cx='{:.1f}' cy='{:.1f}' r='3' fill='{}' fill-opacity='0.7'/>\n",
                         x.pixel(p.x), y.pixel(p.y), colour);
  return out;
}

std::string series_svg(const ChartSeries& series, const char* colour, const Scale& x,
                       const Scale& y) {
  std::string out;
  if (series.is_line) {
    out += fmt::format("<polyline fill='none' stroke='{}' stroke-width='{}'{} points='", colour,
                       series.width, series.is_dashed ? " stroke-dasharray='6 4'" : "");
    for (const Point& p : series.points)
      if (x.shows(p.x) && y.shows(p.y))
        out += fmt::format("{:.1f},{:.1f} ", x.pixel(p.x), y.pixel(p.y));
    return out + "'/>\n" + (series.is_marked ? dots(series, colour, x, y) : "");
  }
  return dots(series, colour, x, y);
}

}  // namespace

std::string Chart::svg() const {
  Scale across(x, left, width - right);
  Scale up(y, height - bottom, top);
  for (const ChartSeries& one : series) {
    for (const Point& point : one.points) {
      if (!across.shows(point.x) || !up.shows(point.y)) continue;
      across.include(point.x);
      up.include(point.y);
    }
  }
  across.finish();
  up.finish();
  const double whole = width + (legend_is_beside ? beside : 0.0);
  std::string out = fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' width='{0}' height='{1}' viewBox='0 0 {0} {1}'>\n"
      "<style>text{{font:12px sans-serif;fill:#222}}.grid{{stroke:#ddd}}</style>\n"
      "<rect width='100%' height='100%' fill='white'/>\n",
      whole, height);
  out += text_at(left, 22, "start", title, " style='font-size:15px;font-weight:bold'");
  if (!note.empty()) out += text_at(left, 40, "start", note);
  out += axes(*this, across, up);
  double legend = top + 16;
  const double legend_at = legend_is_beside ? width - right : left;
  for (std::size_t i = 0; i < series.size(); ++i) {
    const char* const colour = colours.at(i % colours.size());
    out += series_svg(series[i], colour, across, up);
    if (series[i].is_line)
      out += fmt::format(
          "<line x1='{0}' x2='{1}' y1='{2}' y2='{2}' stroke='{3}' stroke-width='{4}'{5}/>\n",
          legend_at + 10, legend_at + 30, legend - 4, colour, series[i].width,
          series[i].is_dashed ? " stroke-dasharray='6 4'" : "");
    else
      out += fmt::format("<rect x='{}' y='{}' width='12' height='10' fill='{}'/>\n", legend_at + 14,
                         legend - 9, colour);
    out += text_at(legend_at + 36, legend, "start", series[i].name);
    legend += 16;
  }
  return out + "</svg>\n";
}

std::string svg_below_each_other(const std::vector<Chart>& charts) {
  const bool wide = std::ranges::any_of(charts, &Chart::legend_is_beside);
  std::string out = fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' width='{0}' height='{1}' viewBox='0 0 {0} {1}'>\n",
      width + (wide ? beside : 0.0), height * static_cast<double>(charts.size()));
  for (std::size_t i = 0; i < charts.size(); ++i)
    out += fmt::format("<g transform='translate(0 {})'>\n{}</g>\n", height * static_cast<double>(i),
                       charts[i].svg());
  return out + "</svg>\n";
}

}  // namespace cartwright::mapping
