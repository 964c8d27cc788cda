// SPDX-License-Identifier: Apache-2.0
#include "text_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "colouring.hpp"
#include "slices.hpp"

namespace cartwright::command {

namespace {

constexpr std::size_t highest = 120;

/// One slice after the other as lines, which are then put side by side.
class Painter {
 public:
  Painter(const mapping::NodeMap& map, bool coloured)
      : slices_(map),
        coloured_(coloured),
        colours_(colour_nodes(map)),
        letters_(letter_nodes(map.node_count)),
        label_(letters_.front().size()) {}

  [[nodiscard]] std::size_t width() const {
    return static_cast<std::size_t>(slices_.width()) * (label_ + 1) + 2;
  }
  [[nodiscard]] std::size_t height() const {
    const auto rows = static_cast<std::size_t>(slices_.height());
    return (coloured_ ? rows : 2 * rows) + (slices_.count() > 1 ? 2 : 0);
  }
  [[nodiscard]] int count() const { return slices_.count(); }

  [[nodiscard]] std::vector<std::string> lines(int slice) const {
    std::vector<std::string> lines;
    if (slices_.count() > 1) lines.push_back(fmt::format("{:<{}}", slices_.name(slice), width()));
    for (int y = 0; y < slices_.height(); ++y) {
      lines.push_back(cells(slice, y));
      if (!coloured_ && (y + 1 < slices_.height() || slices_.is_periodic(1)))
        lines.push_back(cuts(slice, y));
    }
    if (slices_.count() > 1) lines.emplace_back(width(), ' ');
    return lines;
  }

 private:
  [[nodiscard]] std::string cells(int slice, int y) const {
    std::string line;
    for (int x = 0; x < slices_.width(); ++x) {
      const auto node = static_cast<std::size_t>(slices_.node(slice, x, y));
      if (coloured_) {
        line += fmt::format("\033[30;48;5;{}m{} ", colour(colours_[node]).terminal, letters_[node]);
      } else {
        line += letters_[node] + (slices_.is_cut(slice, x, y, 0) ? '|' : ' ');
      }
    }
    return line + (coloured_ ? "\033[0m  " : "  ");
  }

  /// Below row y.
  [[nodiscard]] std::string cuts(int slice, int y) const {
    std::string line;
    for (int x = 0; x < slices_.width(); ++x) {
      line += std::string(label_, slices_.is_cut(slice, x, y, 1) ? '-' : ' ');
      line += corner(slice, x, y);
    }
    return line + "  ";
  }
  /// Where four cells meet.
  [[nodiscard]] char corner(int slice, int x, int y) const {
    const bool has_right = x + 1 < slices_.width();
    const bool has_below = y + 1 < slices_.height();
    const bool upright =
        slices_.is_cut(slice, x, y, 0) || (has_below && slices_.is_cut(slice, x, y + 1, 0));
    const bool level =
        slices_.is_cut(slice, x, y, 1) || (has_right && slices_.is_cut(slice, x + 1, y, 1));
    if (upright && level) return '+';
    return upright ? '|' : level && has_right ? '-' : ' ';
  }

  Slices slices_;
  bool coloured_;
  std::vector<int> colours_;
  std::vector<std::string> letters_;
  std::size_t label_;
};

}  // namespace

std::string text_picture(const mapping::NodeMap& map, bool coloured, int columns) {
  const Painter painter(map, coloured);
  const auto widest = static_cast<std::size_t>(std::max(columns - 2, 1));
  if (painter.width() > widest) return {};
  const auto beside = static_cast<int>(widest / painter.width());
  const int bands = (painter.count() + beside - 1) / beside;
  if (static_cast<std::size_t>(bands) * painter.height() > highest) return {};
  std::string text;
  for (int first = 0; first < painter.count(); first += beside) {
    std::vector<std::string> lines;
    for (int slice = first; slice < std::min(first + beside, painter.count()); ++slice) {
      const auto more = painter.lines(slice);
      lines.resize(more.size());
      for (std::size_t i = 0; i < more.size(); ++i) lines[i] += more[i];
    }
    for (std::string& line : lines) {
      line.erase(line.find_last_not_of(' ') + 1);
      text += "  " + line + "\n";
    }
  }
  return text;
}

}  // namespace cartwright::command
