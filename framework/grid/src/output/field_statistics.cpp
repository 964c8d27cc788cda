// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cartwright/grid/kernels/parts.hpp>
#include <cartwright/grid/output/field_statistics.hpp>
#include <cmath>
#include <limits>

#include "copied_parts.hpp"
#include "point_weights.hpp"
#include "square_sum.hpp"

namespace cartwright::grid {
namespace {

/// The least and the greatest of some numbers, several at once.
class Extrema {
 public:
  void add(std::span<const double> values) {
    std::size_t k = 0;
    for (; k + lanes <= values.size(); k += lanes)
      for (std::size_t lane = 0; lane < lanes; ++lane) take(values[k + lane], lane);
    for (; k < values.size(); ++k) take(values[k], 0);
  }
  [[nodiscard]] double least() const { return *std::ranges::min_element(least_); }
  [[nodiscard]] double greatest() const { return *std::ranges::max_element(greatest_); }

 private:
  static constexpr std::size_t lanes = 8;

  /// What is no number is passed over.
  void take(double value, std::size_t lane) {
    least_[lane] = value < least_[lane] ? value : least_[lane];
    greatest_[lane] = value > greatest_[lane] ? value : greatest_[lane];
  }
  static constexpr std::array<double, lanes> all(double value) {
    std::array<double, lanes> result{};
    result.fill(value);
    return result;
  }

  std::array<double, lanes> least_ = all(std::numeric_limits<double>::infinity());
  std::array<double, lanes> greatest_ = all(-std::numeric_limits<double>::infinity());
};

/// All that ranks tell each other: one collective.
struct Partial {
  // Minimum and negated maximum.
  double least = std::numeric_limits<double>::infinity();
  double least_negative = std::numeric_limits<double>::infinity();
  comm::BinnedSum sum;
  SquareSum squares;

  void add_extrema(std::span<const double> values) {
    Extrema extrema;
    extrema.add(values);
    least = std::min(least, extrema.least());
    least_negative = std::min(least_negative, -extrema.greatest());
  }
  /// `first`: the number of the first of these points, whose volumes count where they differ.
  void add(std::span<double> values, const PointWeights& weights, long long first) {
    add_extrema(values);
    if (weights.are_equal()) {
      sum.add(values);
      squares.add(values);
      return;
    }
    std::vector<double> weighted(values.begin(), values.end());
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

/// Of points `from` up to `to` of `points`.
Partial of_points(const CopiedPart& points, const ElementType& element, const PointWeights& weights,
                  long long from, long long to) {
  Partial partial;
  std::array<double, numbers_at_once> values;
  visit_scalar(element.scalar, [&]<class T>(std::type_identity<T>) {
    constexpr auto most = static_cast<long long>(numbers_at_once);
    for (long long begin = from; begin < to; begin += most) {
      const long long count = std::min(most, to - begin);
      for (long long k = 0; k < count; ++k)
        values[static_cast<std::size_t>(k)] =
            number_at<T>(points.bytes, begin + k, element.components);
      partial.add(std::span(values).first(static_cast<std::size_t>(count)), weights,
                  points.first + begin);
    }
  });
  return partial;
}

Partial of_owned_points(const GridDescription& grid, const FieldBase& field) {
  Partial all;
  const PointWeights weights(grid, field);
  const ElementType element = field.element();
  visit_copied_parts(field, [&](const CopiedPart& points) {
    const long long count = points.part.points();
    for (const Partial& each : results_of_ranges(count, count, [&](long long from, long long to) {
           return of_points(points, element, weights, from, to);
         }))
      all = JoinPartials{}(all, each);
  });
  return all;
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
