// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

namespace cartwright::plan::fits {

struct Point {
  double x, y;
};

/// A straight line through points, and how well it goes through them.
struct Line {
  double intercept = 0.0;
  double slope = 0.0;
  double residual = 0.0;  ///< root of the mean square of what the line misses

  [[nodiscard]] double at(double x) const { return intercept + slope * x; }
};

/// Least squares. Throws std::invalid_argument unless at least two different x are given.
Line fit_line(std::span<const Point> points);

/// A line that holds for the points from `first` up to before `last`.
struct Piece {
  std::size_t first, last;
  Line line;
};

/// As few lines as possible, each through at least `shortest` neighbouring points, that miss every
/// point by at most `tolerance` of its y; with the least sum of squares among those. Points ascend
/// in x. When even pieces of `shortest` points miss, the best of those is returned: look at the
/// residuals. Throws std::invalid_argument for fewer points than `shortest`, or shortest < 2.
std::vector<Piece> fit_pieces(std::span<const Point> points, double tolerance,
                              std::size_t shortest = 3);

/// Of an even number the mean of the middle two. Throws std::invalid_argument for none.
double median(std::vector<double> values);

}  // namespace cartwright::plan::fits
