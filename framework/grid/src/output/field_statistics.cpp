// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/grid/output/field_statistics.hpp>
#include <cmath>
#include <limits>

#include "field_numbers.hpp"
#include "point_weights.hpp"
#include "square_sum.hpp"

namespace cartwright::grid {
namespace {

/// All that ranks tell each other: one collective.
struct Partial {
  // Minimum and negated maximum.
  double least = std::numeric_limits<double>::infinity();
  double least_negative = std::numeric_limits<double>::infinity();
  comm::BinnedSum sum;
  SquareSum squares;

  void add_extrema(std::span<const double> values) {
    for (const double value : values) {
      least = std::min(least, value);
      least_negative = std::min(least_negative, -value);
    }
  }
  /// `first`: the number of the first of these points, whose volumes count where they differ.
  void add(std::vector<double>& values, const PointWeights& weights, long long first) {
    add_extrema(values);
    if (weights.are_equal()) {
      sum.add(values);
      squares.add(values);
      return;
    }
    std::vector<double> weighted = values;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double weight = weights(first + static_cast<long long>(i));
      weighted[i] *= weight;
      values[i] *= std::sqrt(weight);
    }
    sum.add(weighted);
    squares.add(values);
  }
};

struct JoinPartials {
  static constexpr bool is_exact = true;  // up to the sign of a 0, which isn't kept
  Partial operator()(Partial left, const Partial& right) const {
    left.least = std::min(left.least, right.least);
    left.least_negative = std::min(left.least_negative, right.least_negative);
    left.sum += right.sum;
    left.squares += right.squares;
    return left;
  }
};

Partial of_owned_points(const GridDescription& grid, const FieldBase& field) {
  Partial partial;
  const std::vector<std::byte> bytes = owned_bytes(field);
  const long long points = field.block().points();
  const int components = field.element().components;
  std::vector<double> values;
  const PointWeights weights(grid, field);
  visit_scalar(field.element().scalar, [&]<class T>(std::type_identity<T>) {
    for (long long i = 0; i < points; ++i) {
      values.push_back(number_at<T>(bytes, i, components));
      if (values.size() < numbers_at_once && i + 1 != points) continue;
      partial.add(values, weights, i + 1 - static_cast<long long>(values.size()));
      values.clear();
    }
  });
  return partial;
}

}  // namespace

FieldStatistics statistics(const comm::Collectives& comm, const GridDescription& grid,
                           const FieldBase& field) {
  const Partial all =
      comm.allreduce(of_owned_points(grid, field), comm::commutative(JoinPartials{}));
  const auto points = static_cast<double>(field.block().global_points());
  FieldStatistics result;
  result.mean = all.sum.mean(points);
  result.l2 = all.squares.root_mean(points);
  // Adding 0 turns -0 into 0: which of the two is kept depends on the order.
  result.minimum = all.least + 0.0;
  result.maximum = -all.least_negative + 0.0;
  if (all.squares.is_nan()) result = {result.l2, result.l2, result.l2, result.l2};
  return result;
}

}  // namespace cartwright::grid
