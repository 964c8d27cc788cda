// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/plan/models/fit.hpp>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>

namespace cartwright::plan::fits {
namespace {

/// The best way to cover the points before some point with a given number of lines.
struct Cover {
  double squares = std::numeric_limits<double>::infinity();
  std::size_t from = 0;  // the last line begins here
};

bool goes_through(const Line& line, std::span<const Point> points, double tolerance) {
  return std::ranges::all_of(points, [&](const Point& point) {
    return std::abs(line.at(point.x) - point.y) <= tolerance * std::abs(point.y);
  });
}

/// The points covered by exactly `pieces` lines; nothing if tolerances forbid.
std::optional<std::vector<Piece>> cover_points(std::span<const Point> points, double tolerance,
                                               std::size_t shortest, std::size_t pieces) {
  const std::size_t size = points.size();
  std::vector<std::vector<Cover>> best(pieces + 1, std::vector<Cover>(size + 1));
  best[0][0].squares = 0.0;
  for (std::size_t piece = 1; piece <= pieces; ++piece) {
    for (std::size_t end = shortest; end <= size; ++end) {
      for (std::size_t from = 0; from + shortest <= end; ++from) {
        if (std::isinf(best[piece - 1][from].squares)) continue;
        const auto part = points.subspan(from, end - from);
        const Line line = fit_line(part);
        if (!goes_through(line, part, tolerance)) continue;
        const double squares = best[piece - 1][from].squares +
                               line.residual * line.residual * static_cast<double>(part.size());
        if (squares < best[piece][end].squares) best[piece][end] = {squares, from};
      }
    }
  }
  if (std::isinf(best[pieces][size].squares)) return std::nullopt;
  std::vector<Piece> found(pieces);
  std::size_t end = size;
  for (std::size_t piece = pieces; piece > 0; --piece) {
    const std::size_t from = best[piece][end].from;
    found[piece - 1] = {from, end, fit_line(points.subspan(from, end - from))};
    end = from;
  }
  return found;
}

}  // namespace

Line fit_line(std::span<const Point> points) {
  double mean_x = 0.0;
  double mean_y = 0.0;
  const auto size = static_cast<double>(points.size());
  for (const Point& point : points) {
    mean_x += point.x / size;
    mean_y += point.y / size;
  }
  double variance = 0.0;
  double covariance = 0.0;
  for (const Point& point : points) {
    variance += (point.x - mean_x) * (point.x - mean_x);
    covariance += (point.x - mean_x) * (point.y - mean_y);
  }
  if (points.size() < 2 || !(variance > 0.0))
    throw std::invalid_argument("a line needs points at two places at least");
  Line line;
  line.slope = covariance / variance;
  line.intercept = mean_y - line.slope * mean_x;
  double squares = 0.0;
  for (const Point& point : points) squares += std::pow(line.at(point.x) - point.y, 2);
  line.residual = std::sqrt(squares / size);
  return line;
}

std::vector<Piece> fit_pieces(std::span<const Point> points, double tolerance,
                              std::size_t shortest) {
  if (shortest < 2 || points.size() < shortest)
    throw std::invalid_argument("too few points for a line");
  const std::size_t most = points.size() / shortest;
  for (std::size_t pieces = 1; pieces <= most; ++pieces) {
    if (auto found = cover_points(points, tolerance, shortest, pieces)) return *found;
  }
  constexpr double any = std::numeric_limits<double>::max();
  return *cover_points(points, any, shortest, most);
}

double median(std::vector<double> values) {
  if (values.empty()) throw std::invalid_argument("no values, no median");
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2.0;
}

}  // namespace cartwright::plan::fits
