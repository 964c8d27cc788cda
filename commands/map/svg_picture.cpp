// SPDX-License-Identifier: Apache-2.0
#include "svg_picture.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>
#include <ostream>

#include "colouring.hpp"
#include "slices.hpp"

namespace cartwright::command {

namespace {

constexpr double margin = 24.0;
constexpr double axis_room = 26.0;   // left of and above each slice
constexpr double panel_head = 44.0;  // title and subtitle
constexpr double page_head = 44.0;
constexpr double legend_room = 40.0;
constexpr double widest = 1500.0;

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '<') {
      result += "&lt;";
    } else if (c == '&') {
      result += "&amp;";
    } else {
      result += c;
    }
  }
  return result;
}

/// One grid, its slices in rows of a few.
class PanelPainter {
 public:
  PanelPainter(const MapPanel& panel, double cell)
      : panel_(panel), slices_(*panel.map), cell_(cell), colours_(colour_nodes(*panel.map)) {
    const double each = axis_room + cell_ * slices_.width() + margin;
    columns_ = std::clamp(static_cast<int>(widest / 2.0 / each), 1, slices_.count());
  }

  [[nodiscard]] double width() const { return std::max(columns_ * slice_width(), 320.0); }
  [[nodiscard]] double height() const { return panel_head + rows() * slice_height(); }

  void draw(std::ostream& out, double left, double top) const {
    fmt::print(out, "<text x='{:.1f}' y='{:.1f}' class='head'>{}</text>\n", left, top + 14.0,
               escaped(panel_.title));
    fmt::print(out, "<text x='{:.1f}' y='{:.1f}'>{}</text>\n", left, top + 31.0,
               escaped(panel_.subtitle));
    for (int slice = 0; slice < slices_.count(); ++slice) {
      const int column = slice % columns_;
      const int row = slice / columns_;
      const double x = left + axis_room + column * slice_width();
      const double y = top + panel_head + axis_room + row * slice_height();
      draw_slice(out, slice, x, y);
    }
  }

 private:
  [[nodiscard]] int rows() const { return (slices_.count() + columns_ - 1) / columns_; }
  [[nodiscard]] double slice_width() const { return axis_room + cell_ * slices_.width() + margin; }
  [[nodiscard]] double slice_height() const {
    return axis_room + cell_ * slices_.height() + margin;
  }

  void draw_slice(std::ostream& out, int slice, double left, double top) const {
    draw_axes(out, slice, left, top);
    for (int y = 0; y < slices_.height(); ++y) {
      for (int x = 0; x < slices_.width(); ++x) {
        const int node = slices_.node(slice, x, y);
        const double cx = left + cell_ * x;
        const double cy = top + cell_ * y;
        fmt::print(out,
                   "<rect x='{:.1f}' y='{:.1f}' width='{:.1f}' height='{:.1f}' "
                   "fill='{}'><title>node {}</title></rect>\n",
                   cx, cy, cell_, cell_, colour(colours_[static_cast<std::size_t>(node)]).web,
                   node);
        if (cell_ >= 14.0)
          fmt::print(out, "<text x='{:.1f}' y='{:.1f}' class='node'>{}</text>\n", cx + cell_ / 2,
                     cy + cell_ / 2 + 3.0, node);
        if (slices_.is_cut_across(slice, x, y))
          fmt::print(out, "<circle cx='{:.1f}' cy='{:.1f}' r='{:.1f}' class='across'/>\n",
                     cx + cell_ - 3.0, cy + 3.0, std::min(2.0, cell_ / 5));
      }
    }
    draw_faces(out, slice, left, top);
  }

  /// Off-node faces; those around a periodic axis at both ends.
  void draw_faces(std::ostream& out, int slice, double left, double top) const {
    std::string path;
    const auto line = [&](double x, double y, double dx, double dy) {
      path += fmt::format("M{:.1f} {:.1f}l{:.1f} {:.1f}", x, y, dx, dy);
    };
    for (int y = 0; y < slices_.height(); ++y) {
      for (int x = 0; x < slices_.width(); ++x) {
        const double cx = left + cell_ * x;
        const double cy = top + cell_ * y;
        if (slices_.is_cut(slice, x, y, 0)) {
          line(cx + cell_, cy, 0.0, cell_);
          if (x + 1 == slices_.width()) line(left, cy, 0.0, cell_);
        }
        if (slices_.height() > 1 && slices_.is_cut(slice, x, y, 1)) {
          line(cx, cy + cell_, cell_, 0.0);
          if (y + 1 == slices_.height()) line(cx, top, cell_, 0.0);
        }
      }
    }
    if (!path.empty()) fmt::print(out, "<path d='{}' class='cut'/>\n", path);
  }

  void draw_axes(std::ostream& out, int slice, double left, double top) const {
    const auto axis_name = [this](std::size_t axis, const char* name) {
      return std::string(name) + (slices_.is_periodic(axis) ? " (ring)" : "");
    };
    const std::string name = slices_.name(slice);
    fmt::print(out, "<text x='{:.1f}' y='{:.1f}'>{}{} &#8594;</text>\n", left, top - 14.0,
               name.empty() ? "" : escaped(name) + ":  ", axis_name(0, "x"));
    const int step = cell_ >= 14.0 ? 1 : static_cast<int>(std::ceil(24.0 / cell_));
    for (int x = 0; x < slices_.width(); x += step)
      fmt::print(out, "<text x='{:.1f}' y='{:.1f}' class='tick'>{}</text>\n",
                 left + cell_ * (x + 0.5), top - 3.0, x);
    if (slices_.height() == 1) return;
    for (int y = 0; y < slices_.height(); y += step)
      fmt::print(out, "<text x='{:.1f}' y='{:.1f}' class='tick'>{}</text>\n", left - 8.0,
                 top + cell_ * (y + 0.5) + 3.0, y);
    fmt::print(out, "<text x='{:.1f}' y='{:.1f}' class='tick'>{} &#8595;</text>\n", left - 8.0,
               top - 5.0, axis_name(1, "y"));
  }

  const MapPanel& panel_;
  Slices slices_;
  double cell_;
  std::vector<int> colours_;
  int columns_ = 1;
};

void draw_legend(std::ostream& out, double top, bool slices) {
  fmt::print(out, "<rect x='{0:.1f}' y='{1:.1f}' width='14' height='14' fill='{2}'/>", margin, top,
             colour(0).web);
  fmt::print(out, "<text x='{:.1f}' y='{:.1f}'>a rank, coloured and numbered by its node</text>\n",
             margin + 20.0, top + 11.0);
  const double second = margin + 300.0;
  fmt::print(out, "<path d='M{:.1f} {:.1f}l0 16' class='cut'/>", second, top - 1.0);
  fmt::print(out,
             "<text x='{:.1f}' y='{:.1f}'>a face between two nodes (around a ring: at both "
             "ends)</text>\n",
             second + 8.0, top + 11.0);
  if (!slices) return;
  const double third = second + 380.0;
  fmt::print(out, "<circle cx='{:.1f}' cy='{:.1f}' r='2' class='across'/>", third, top + 7.0);
  fmt::print(out, "<text x='{:.1f}' y='{:.1f}'>one towards the next slice</text>\n", third + 8.0,
             top + 11.0);
}

/// So that a slice stays within half a page.
double cell_size(const mapping::NodeMap& map) {
  const Slices slices(map);
  const int longest = std::max(slices.width(), slices.height());
  return std::clamp(620.0 / longest, 3.0, 26.0);
}

}  // namespace

void write_map_svg(std::ostream& out, const std::string& title,
                   const std::vector<MapPanel>& panels) {
  const double cell = cell_size(*panels.front().map);
  std::vector<PanelPainter> painters;
  painters.reserve(panels.size());
  for (const MapPanel& panel : panels) painters.emplace_back(panel, cell);
  const double width_each = painters.front().width() + margin;
  const double height_each = painters.front().height() + margin;
  const auto columns =
      std::clamp<std::size_t>(static_cast<std::size_t>(widest / width_each), 1, painters.size());
  const std::size_t rows = (painters.size() + columns - 1) / columns;
  const double width = std::max(static_cast<double>(columns) * width_each + margin, 900.0);
  const double body = page_head + static_cast<double>(rows) * height_each;
  fmt::print(out,
             "<svg xmlns='http://www.w3.org/2000/svg' width='{0:.0f}' height='{1:.0f}' "
             "viewBox='0 0 {0:.0f} {1:.0f}'>\n",
             width, body + legend_room);
  fmt::print(
      out,
      "<style>text{{font:12px sans-serif;fill:#222}}.title{{font-size:17px}}"
      ".head{{font-weight:bold;font-size:13px}}.node,.tick{{font-size:9px;text-anchor:middle}}"
      ".tick{{fill:#666}}.cut{{stroke:#111;stroke-width:2.2;fill:none}}"
      ".across{{fill:#111}}</style>\n<rect width='100%' height='100%' fill='white'/>\n");
  fmt::print(out, "<text x='{:.1f}' y='28' class='title'>{}</text>\n", margin, escaped(title));
  for (std::size_t i = 0; i < painters.size(); ++i) {
    const std::size_t column = i % columns;
    const std::size_t row = i / columns;
    painters[i].draw(out, margin + static_cast<double>(column) * width_each,
                     page_head + static_cast<double>(row) * height_each);
  }
  draw_legend(out, body + 4.0, Slices(*panels.front().map).count() > 1);
  fmt::print(out, "</svg>\n");
}

}  // namespace cartwright::command
