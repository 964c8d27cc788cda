// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/plan/models/multicast_fit.hpp>
#include <cmath>
#include <map>
#include <vector>

namespace cartwright::plan::fits {
namespace {

/// Residual of the best line through the origin.
double residual_through_origin(std::span<const Point> points) {
  double products = 0.0;
  double squares = 0.0;
  for (const auto& [x, y] : points) {
    products += x * y;
    squares += x * x;
  }
  double missed = 0.0;
  for (const auto& [x, y] : points) missed += std::pow(y - products / squares * x, 2);
  return std::sqrt(missed / static_cast<double>(points.size()));
}

std::string refusal_of_pipelined(const PipelinedFit& fit) {
  if (fit.required <= 0.0)
    return "more targets don't take longer (a_r <= 0): the messages block, or noise hides their "
           "cost";
  if (fit.pipelining <= 0.0)
    return "nothing overlaps (a_p <= 0): messages of this size are limited by bandwidth";
  return {};
}

}  // namespace

PipelinedFit fit_multicast(std::span<const MulticastSample> samples) {
  std::map<int, double> minima;
  for (const auto& [targets, time] : samples) {
    const auto [minimum, is_new] = minima.try_emplace(targets, time);
    if (!is_new) minimum->second = std::min(minimum->second, time);
  }
  PipelinedFit fit;
  if (minima.size() < 2) {
    fit.refusal = "multicasts to at least two numbers of targets are needed";
    return fit;
  }
  std::vector<Point> points;
  points.reserve(minima.size());
  for (const auto& [targets, time] : minima) points.push_back({static_cast<double>(targets), time});
  const Line line = fit_line(points);
  fit.pipelining = line.intercept;
  fit.required = line.slope;
  fit.residual = line.residual;
  fit.without_pipelining = residual_through_origin(points);
  fit.refusal = refusal_of_pipelined(fit);
  return fit;
}

}  // namespace cartwright::plan::fits
