// SPDX-License-Identifier: Apache-2.0
#include "timeline_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>

namespace matmul {

namespace comm = cartwright::comm;
namespace rt = cartwright::rt;

namespace {

constexpr std::array<const char*, phase_count> colours{"#9aa5b1", "#e0b13f", "#c0392b", "#8660b8",
                                                       "#3973c6", "#2a9d8f", "#1f4e8c", "#7f8c8d"};

constexpr double width = 1100, left = 70, right = 24, top = 76, bottom = 56;

struct Unit {
  const char* name;
  double seconds;
};
Unit unit_for(double seconds) {
  if (seconds >= 1.0) return {"s", 1.0};
  return seconds >= 1.0e-3 ? Unit{"ms", 1.0e-3} : Unit{"µs", 1.0e-6};
}

/// The next of 1, 2, 5, 10, 20 …
double round_step(double step) {
  const double power = std::pow(10.0, std::floor(std::log10(step)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (step <= factor * power * (1.0 + 1.0e-9)) return factor * power;
  return 10.0 * power;
}

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '<')
      result += "&lt;";
    else if (c == '&')
      result += "&amp;";
    else
      result += c;
  }
  return result;
}

class Painter {
 public:
  explicit Painter(const std::vector<std::vector<Span>>& spans) : spans_(spans) {
    const std::size_t shown = std::min<std::size_t>(spans.size(), 128);
    for (std::size_t i = 0; i < shown; ++i) ranks_.push_back(i * spans.size() / shown);
    row_ = std::clamp(720.0 / static_cast<double>(shown), 7.0, 34.0);
    for (const auto& of_rank : spans)
      for (const Span& span : of_rank) end_ = std::max(end_, span.end);
    unit_ = unit_for(end_);
  }

  std::string paint(const std::string& title) {
    const double height = floor() + bottom;
    print(
        "<svg xmlns='http://www.w3.org/2000/svg' width='{0:.0f}' height='{1:.0f}' "
        "viewBox='0 0 {0:.0f} {1:.0f}' font-family='Helvetica, Arial, sans-serif' "
        "font-size='12' fill='#1f2933'>\n<rect width='100%' height='100%' fill='#ffffff'/>\n",
        width, height);
    print("<text x='{}' y='24' font-size='15' font-weight='600'>{}</text>\n", left, escaped(title));
    if (ranks_.size() < spans_.size())
      print("<text x='{}' y='40' fill='#52606d'>{} of {} ranks are shown</text>\n", left,
            ranks_.size(), spans_.size());
    paint_axis();
    for (std::size_t i = 0; i < ranks_.size(); ++i) paint_row(i);
    paint_legend();
    print("</svg>\n");
    return std::move(text_);
  }

 private:
  template <class... Values>
  void print(fmt::format_string<const Values&...> format, const Values&... values) {
    fmt::format_to(std::back_inserter(text_), format, values...);
  }
  [[nodiscard]] double floor() const { return top + row_ * static_cast<double>(ranks_.size()); }
  [[nodiscard]] double x(double time) const { return left + time / end_ * (width - left - right); }

  void paint_axis() {
    const double step = round_step(end_ / unit_.seconds / 10.0) * unit_.seconds;
    for (int tick = 0; tick * step <= end_ * (1.0 + 1.0e-9); ++tick) {
      print(
          "<line x1='{0:.1f}' x2='{0:.1f}' y1='{1}' y2='{2:.1f}' stroke='#d5dae1'/>\n"
          "<text x='{0:.1f}' y='{3:.1f}' text-anchor='middle'>{4:g}</text>\n",
          x(tick * step), top, floor() + 5.0, floor() + 19.0, tick * step / unit_.seconds);
    }
    print(
        "<text x='{:.1f}' y='{:.1f}' text-anchor='middle'>time since the product began ({})"
        "</text>\n",
        (left + width - right) / 2.0, floor() + 42.0, unit_.name);
    print(
        "<text x='18' y='{0:.1f}' text-anchor='middle' transform='rotate(-90 18 {0:.1f})'>rank"
        "</text>\n",
        (top + floor()) / 2.0);
  }

  void paint_row(std::size_t i) {
    const double middle = top + row_ * (static_cast<double>(i) + 0.5);
    if (i % static_cast<std::size_t>(std::ceil(13.0 / row_)) == 0)
      print("<text x='{}' y='{:.1f}' text-anchor='end'>{}</text>\n", left - 8.0, middle + 4.0,
            ranks_[i]);
    // What is thinner than a fifth of a pixel is left out.
    const double thinnest = end_ / (width - left - right) / 5.0;
    for (const Span& span : spans_[ranks_[i]]) {
      if (span.end - span.begin < thinnest) continue;
      const auto phase = static_cast<std::size_t>(span.phase);
      used_[phase] = true;
      print(
          "<rect x='{:.2f}' y='{:.1f}' width='{:.2f}' height='{:.1f}' fill='{}'><title>rank {}: "
          "{}, {:.4g} to {:.4g} {}</title></rect>\n",
          x(span.begin), middle - row_ * 0.36, x(span.end) - x(span.begin), row_ * 0.72,
          colours[phase], ranks_[i], name(span.phase), span.begin / unit_.seconds,
          span.end / unit_.seconds, unit_.name);
    }
  }

  void paint_legend() {
    double at = left;
    for (std::size_t i = 0; i < phase_count; ++i) {
      if (!used_[i]) continue;
      const std::string text = name(static_cast<Phase>(i));
      print(
          "<rect x='{:.1f}' y='50' width='14' height='12' fill='{}'/>\n"
          "<text x='{:.1f}' y='60'>{}</text>\n",
          at, colours[i], at + 20.0, text);
      at += 46.0 + 6.6 * static_cast<double>(text.size());
    }
  }

  const std::vector<std::vector<Span>>& spans_;
  std::vector<std::size_t> ranks_;  // by row
  double row_ = 0.0;                // pixels
  double end_ = 1.0e-6;
  Unit unit_{};
  std::array<bool, phase_count> used_{};
  std::string text_;
};

}  // namespace

std::vector<std::vector<Span>> gather_spans(const comm::Collectives& comm,
                                            const std::vector<Span>& spans) {
  const comm::Collected<Span> received = comm.gather_uneven(spans, rt::Rank{0});
  std::vector<std::vector<Span>> all;
  for (int rank = 0; comm.communicator().is_root() && rank < comm.communicator().size(); ++rank) {
    const std::span<const Span> part = received.of(rank);
    all.emplace_back(part.begin(), part.end());
  }
  return all;
}

std::string timeline_svg(const std::string& title,
                         const std::vector<std::vector<Span>>& spans_of_ranks) {
  return Painter(spans_of_ranks).paint(title);
}

}  // namespace matmul
