// SPDX-License-Identifier: Apache-2.0
#include <cartwright/grid/output/error_norm.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/grid/field/grid_base.hpp>
#include <cartwright/grid/kernels/parts.hpp>
#include <cartwright/rt/error.hpp>
#include <cmath>
#include <cstring>
#include <vector>

#include "copied_parts.hpp"
#include "point_weights.hpp"
#include "square_sum.hpp"

namespace cartwright::grid {
namespace {

/// All that ranks tell each other: one collective.
struct Errors {
  double greatest = 0.0;
  SquareSum squares;

  /// Leaves none.
  void take(std::vector<double>& errors) {
    squares.add(errors);
    errors.clear();
  }
};

struct JoinErrors {
  static constexpr bool is_exact = true;
  Errors operator()(Errors left, const Errors& right) const {
    left.greatest = std::max(left.greatest, right.greatest);
    left.squares += right.squares;
    return left;
  }
};

/// Where the points of a field are.
class Places {
 public:
  explicit Places(const FieldBase& field)
      : grid_(field.grid().description()), centring_(field.centring()), block_(field.block()) {}
  /// Of the point `number` of `part`.
  [[nodiscard]] std::array<double, 3> operator()(const OwnedPart& part, long long number) const {
    std::array<double, 3> place{};
    for (int axis = 0; axis < block_.dimensions; ++axis) {
      const auto a = static_cast<std::size_t>(axis);
      const long long along = number % part.count[a];
      number /= part.count[a];
      place[a] = grid_.position(axis, centring_, block_.start[a] + part.first[a] + along);
    }
    return place;
  }

 private:
  const GridDescription& grid_;
  Centring centring_;
  Block block_;
};

struct Comparison {
  std::span<const Formula> exact;
  double time;
  ElementType element;
  Places places;
  PointWeights weights;

  /// Of points `from` up to `to` of `points`.
  [[nodiscard]] Errors of(const CopiedPart& points, long long from, long long to) const {
    Errors found;
    std::vector<double> errors;
    visit_scalar(element.scalar, [&]<class T>(std::type_identity<T>) {
      for (long long number = from; number < to; ++number) {
        const auto place = places(points.part, number);
        const double scale = weights.are_equal() ? 1.0 : std::sqrt(weights(points.first + number));
        for (int c = 0; c < element.components; ++c) {
          T value;
          std::memcpy(&value,
                      points.bytes.data() +
                          static_cast<std::size_t>(number * element.components + c) * sizeof(T),
                      sizeof(T));
          const double error =
              std::abs(static_cast<double>(value) - formula_of(exact, c)(place, time));
          found.greatest = std::max(found.greatest, error);
          errors.push_back(error * scale);
        }
        if (errors.size() >= numbers_at_once) found.take(errors);
      }
    });
    found.take(errors);
    return found;
  }
};

}  // namespace

ErrorNorms error_norms(const FieldBase& field, std::span<const Formula> exact, double time) {
  const int components = field.element().components;
  if (components > 0) (void)formula_of(exact, components - 1);  // a fault on this thread, if any
  const Comparison compare{exact, time, field.element(), Places(field),
                           PointWeights(field.grid().description(), field)};
  Errors mine;
  visit_copied_parts(field, [&](const CopiedPart& points) {
    const long long count = points.part.points();
    for (const Errors& each : results_of_ranges(
             count * points_for_a_formula, count,
             [&](long long from, long long to) { return compare.of(points, from, to); }))
      mine = JoinErrors{}(mine, each);
  });
  const comm::CartComm& comm = field.grid().comm();
  const auto numbers = static_cast<double>(field.block().global_points() * components);
  ErrorNorms norms;
  const Errors all = comm.allreduce(mine, comm::commutative(JoinErrors{}));
  norms.l2 = all.squares.root_mean(numbers);
  norms.maximum = all.greatest;
  if (std::isnan(norms.l2)) norms.maximum = norms.l2;  // comparisons pass over what is no number
  return norms;
}

}  // namespace cartwright::grid
