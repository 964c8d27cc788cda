// SPDX-License-Identifier: Apache-2.0
#include <cartwright/plan/simulation/timeline.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <ostream>
#include <sstream>

namespace cartwright::plan {

namespace {

struct TimeUnit {
  const char* name;
  double picoseconds;
};

// The largest in which the time is at least 1.
TimeUnit unit_for(double time) {
  constexpr std::array<TimeUnit, 5> units{
      {{"s", 1e12}, {"ms", 1e9}, {"µs", 1e6}, {"ns", 1e3}, {"ps", 1.0}}};
  for (const TimeUnit& unit : units)
    if (time >= unit.picoseconds) return unit;
  return units.back();
}

// The next of 1, 2, 5, 10, 20 …
double round_step(double step) {
  const double power = std::pow(10.0, std::floor(std::log10(step)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (step <= factor * power * (1 + 1e-9)) return factor * power;
  return 10.0 * power;
}

struct Look {
  const char* name;
  const char* colour;
};

// By StepKind; then a wait.
constexpr std::array<Look, 6> looks{{{"send", "#3973c6"},
                                     {"receive", "#2a9d8f"},
                                     {"receive and combine", "#8660b8"},
                                     {"combine", "#e07a3f"},
                                     {"copy", "#9aa5b1"},
                                     {"wait", "#e6e9ee"}}};
constexpr std::size_t wait_look = 5;

std::string number(double value) {
  std::ostringstream text;
  text << std::round(value * 100.0) / 100.0;
  return text.str();
}

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text)
    result += c == '<' ? std::string("&lt;") : c == '&' ? std::string("&amp;") : std::string(1, c);
  return result;
}

class SvgWriter {
 public:
  SvgWriter(std::ostream& out, const Timeline& timeline, const PictureOptions& options)
      : out_(out), timeline_(timeline), options_(options) {
    const int shown = std::min(timeline.ranks, std::max(options.most_ranks, 1));
    row_of_.assign(static_cast<std::size_t>(timeline.ranks), -1);
    for (int i = 0; i < shown; ++i) {
      const auto rank = static_cast<int>(static_cast<std::int64_t>(i) * timeline.ranks / shown);
      row_of_[static_cast<std::size_t>(rank)] = i;
      ranks_.push_back(rank);
    }
    row_ = std::clamp(720.0 / std::max(shown, 1), 7.0, 30.0);
    for (const TimelineStep& step : timeline.steps)
      end_ = std::max({end_, static_cast<double>(step.end), static_cast<double>(step.arrival)});
    end_ = std::max(end_, 1.0);
  }

  void write() {
    begin();
    axis();
    rows();
    waits();
    messages();
    steps();
    legend();
    out_ << "</svg>\n";
  }

 private:
  static constexpr double left = 70, right = 24, top = 66, bottom = 52;

  [[nodiscard]] double height() const {
    return top + row_ * static_cast<double>(ranks_.size()) + bottom;
  }
  [[nodiscard]] double x(Picoseconds time) const { return x(static_cast<double>(time)); }
  [[nodiscard]] double x(double time) const {
    return left + time / end_ * (options_.width - left - right);
  }
  [[nodiscard]] double y(int row) const { return top + row_ * row; }
  [[nodiscard]] double middle(int row) const { return y(row) + row_ / 2; }
  [[nodiscard]] int row(int rank) const { return row_of_[static_cast<std::size_t>(rank)]; }

  void begin() {
    out_ << R"(<svg xmlns="http://www.w3.org/2000/svg" width=")" << options_.width
         << R"(" height=")" << number(height()) << R"(" viewBox="0 0 )" << options_.width << ' '
         << number(height())
         << R"(" font-family="Helvetica, Arial, sans-serif" font-size="12" fill="#1f2933">)"
         << "\n<rect width='100%' height='100%' fill='#ffffff'/>\n";
    std::string title = options_.title;
    if (ranks_.size() < row_of_.size())
      title += (title.empty() ? "" : "; ") + std::to_string(ranks_.size()) + " of " +
               std::to_string(row_of_.size()) + " ranks are shown";
    text(left, 22, "start", escaped(title), "font-size='15' font-weight='600'");
  }

  void text(double at_x, double at_y, const char* anchor, const std::string& content,
            const char* more = "") {
    out_ << "<text x='" << number(at_x) << "' y='" << number(at_y) << "' text-anchor='" << anchor
         << "' " << more << '>' << content << "</text>\n";
  }

  void axis() {
    const TimeUnit unit = unit_for(end_);
    const double step = round_step(end_ / unit.picoseconds / 10.0) * unit.picoseconds;
    const double floor = y(static_cast<int>(ranks_.size()));
    for (int tick = 0; tick * step <= end_ * (1 + 1e-9); ++tick) {
      const double time = tick * step;
      out_ << "<line x1='" << number(x(time)) << "' x2='" << number(x(time)) << "' y1='" << top
           << "' y2='" << number(floor + 5) << "' stroke='#d5dae1'/>\n";
      text(x(time), floor + 19, "middle", number(time / unit.picoseconds));
    }
    text((left + options_.width - right) / 2, floor + 40, "middle",
         std::string("time (") + unit.name + ")");
    const double label = top + (floor - top) / 2;
    out_ << "<text x='18' y='" << number(label) << "' text-anchor='middle' "
         << "transform='rotate(-90 18 " << number(label) << ")'>rank</text>\n";
  }

  void rows() {
    const int every = static_cast<int>(std::ceil(13.0 / row_));  // labels don't overlap
    for (int i = 0; i < static_cast<int>(ranks_.size()); ++i) {
      if (i % every == 0)
        text(left - 8, middle(i) + 4, "end", std::to_string(ranks_[static_cast<std::size_t>(i)]));
      out_ << "<line x1='" << left << "' x2='" << options_.width - right << "' y1='"
           << number(middle(i)) << "' y2='" << number(middle(i)) << "' stroke='#e6e9ee'/>\n";
    }
  }

  // From where a processor is done with a send to where its message arrives.
  void messages() {
    out_ << "<g stroke='#52606d' stroke-opacity='0.55' stroke-width='1'>\n";
    for (const TimelineStep& step : timeline_.steps) {
      if (step.kind != StepKind::send || row(step.rank) < 0 || row(step.peer) < 0) continue;
      out_ << "<line x1='" << number(x(step.end)) << "' y1='" << number(middle(row(step.rank)))
           << "' x2='" << number(x(step.arrival)) << "' y2='" << number(middle(row(step.peer)))
           << "'/>\n";
    }
    out_ << "</g>\n";
  }

  void waits() {
    for (const TimelineStep& step : timeline_.steps)
      if (row(step.rank) >= 0 && step.begin > step.due)
        box(step, step.due, step.begin, wait_look, 0.3);
  }

  void steps() {
    for (const TimelineStep& step : timeline_.steps) {
      if (row(step.rank) < 0) continue;
      box(step, step.begin, step.end, static_cast<std::size_t>(step.kind), 0.66);
    }
  }

  void box(const TimelineStep& step, Picoseconds begin, Picoseconds end, std::size_t look,
           double part_of_row) {
    const double width = x(end) - x(begin);
    if (width <= 0) return;
    const double high = row_ * part_of_row;
    out_ << "<rect x='" << number(x(begin)) << "' y='" << number(middle(row(step.rank)) - high / 2)
         << "' width='" << number(std::max(width, 0.4)) << "' height='" << number(high)
         << "' rx='1.5' fill='" << looks[look].colour << "'><title>rank " << step.rank << ": "
         << looks[look].name;
    if (step.peer >= 0) out_ << (step.kind == StepKind::send ? " to " : " from ") << step.peer;
    const TimeUnit unit = unit_for(end_);
    out_ << ", " << step.bytes << " B, " << number(static_cast<double>(begin) / unit.picoseconds)
         << " to " << number(static_cast<double>(end) / unit.picoseconds) << ' ' << unit.name
         << "</title></rect>\n";
  }

  void legend() {
    std::array<bool, looks.size()> used{};
    bool message = false;
    for (const TimelineStep& step : timeline_.steps) {
      if (step.end > step.begin) used[static_cast<std::size_t>(step.kind)] = true;
      if (step.begin > step.due) used[wait_look] = true;
      message = message || step.kind == StepKind::send;
    }
    double at = left;
    for (std::size_t i = 0; i < looks.size(); ++i) {
      if (!used[i]) continue;
      out_ << "<rect x='" << number(at) << "' y='37' width='14' height='12' rx='1.5' fill='"
           << looks[i].colour << "'/>\n";
      text(at + 20, 47, "start", looks[i].name);
      at += 46.0 + 6.6 * static_cast<double>(std::string(looks[i].name).size());
    }
    if (!message) return;
    out_ << "<line x1='" << number(at) << "' y1='48' x2='" << number(at + 18)
         << "' y2='38' stroke='#52606d' stroke-opacity='0.6'/>\n";
    text(at + 24, 47, "start", "message on its way");
  }

  std::ostream& out_;
  const Timeline& timeline_;
  const PictureOptions& options_;
  std::vector<int> ranks_;   // by row
  std::vector<int> row_of_;  // by rank; -1: isn't shown
  double row_ = 0.0;         // pixels
  double end_ = 0.0;         // ps
};

}  // namespace

void write_svg(std::ostream& out, const Timeline& timeline, const PictureOptions& options) {
  SvgWriter(out, timeline, options).write();
}

}  // namespace cartwright::plan
