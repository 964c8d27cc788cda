// SPDX-License-Identifier: Apache-2.0
#include <cartwright/grid/output/error_norm.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/grid/field/grid_base.hpp>
#include <cartwright/rt/error.hpp>
#include <cmath>
#include <cstring>
#include <vector>

#include "field_numbers.hpp"
#include "point_weights.hpp"
#include "square_sum.hpp"

namespace cartwright::grid {
namespace {

/// Calls `visit(position, number of the point)` for the owned points, in memory order.
template <class Visit>
void visit_points(const FieldBase& field, Visit visit) {
  const GridBase& grid = field.grid();
  const Block block = field.block();
  const auto place = [&](int axis, long long i) {
    const auto a = static_cast<std::size_t>(axis);
    if (axis >= block.dimensions) return 0.0;
    return grid.description().position(axis, field.centring(), block.start[a] + i);
  };
  long long number = 0;
  for (long long k = 0; k < block.count[2]; ++k)
    for (long long j = 0; j < block.count[1]; ++j)
      for (long long i = 0; i < block.count[0]; ++i)
        visit(std::array<double, 3>{place(0, i), place(1, j), place(2, k)}, number++);
}

/// All that ranks tell each other: one collective.
struct Errors {
  double greatest = 0.0;
  SquareSum squares;

  /// And leaves none.
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

}  // namespace

ErrorNorms error_norms(const FieldBase& field, std::span<const Formula> exact, double time) {
  const std::vector<std::byte> bytes = owned_bytes(field);
  const int components = field.element().components;
  Errors mine;
  std::vector<double> errors;
  const PointWeights weights(field.grid().description(), field);
  visit_scalar(field.element().scalar, [&]<class T>(std::type_identity<T>) {
    visit_points(field, [&](const std::array<double, 3>& position, long long point) {
      for (int c = 0; c < components; ++c) {
        T value;
        std::memcpy(&value,
                    bytes.data() + static_cast<std::size_t>(point * components + c) * sizeof(T),
                    sizeof(T));
        const double error =
            std::abs(static_cast<double>(value) - formula_of(exact, c)(position, time));
        mine.greatest = std::max(mine.greatest, error);
        errors.push_back(weights.are_equal() ? error : error * std::sqrt(weights(point)));
      }
      if (errors.size() >= numbers_at_once) mine.take(errors);
    });
  });
  mine.take(errors);
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
