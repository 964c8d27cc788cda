// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/grid/exact_sum.hpp>
#include <cartwright/grid/field_statistics.hpp>
#include <cartwright/rt/mpi_check.hpp>
#include <limits>

#include "field_numbers.hpp"
#include "square_sum.hpp"

namespace cartwright::grid {
namespace {

struct Partial {
  // Minimum and negated maximum, so that one MPI_MIN serves both.
  std::array<double, 2> extremes{std::numeric_limits<double>::infinity(),
                                 std::numeric_limits<double>::infinity()};
  ExactSum sum;
  SquareSum squares;
};

Partial of_owned_points(const FieldBase& field) {
  Partial partial;
  const std::vector<std::byte> bytes = owned_bytes(field);
  const long long points = field.block().points();
  const int components = field.element().components;
  visit_scalar(field.element().scalar, [&]<class T>(std::type_identity<T>) {
    for (long long i = 0; i < points; ++i) {
      const double value = number_at<T>(bytes, i, components);
      partial.extremes[0] = std::min(partial.extremes[0], value);
      partial.extremes[1] = std::min(partial.extremes[1], -value);
      partial.sum.add(value);
      partial.squares.add(value);
    }
  });
  return partial;
}

}  // namespace

FieldStatistics statistics(const rt::Communicator& comm, const FieldBase& field) {
  const Partial mine = of_owned_points(field);
  std::array<double, 2> extremes{};
  rt::mpi_blocking("MPI_Allreduce", MPI_Allreduce, mine.extremes.data(), extremes.data(), 2,
                   MPI_DOUBLE, MPI_MIN, comm.handle());
  const auto points = static_cast<double>(field.block().global_points());
  FieldStatistics result;
  result.mean = mine.sum.over(comm).mean(points);
  result.l2 = mine.squares.over(comm).root_mean(points);
  // Adding 0 turns -0 into 0: which of the two MPI_MIN keeps depends on the order.
  result.minimum = std::isnan(result.l2) ? result.l2 : extremes[0] + 0.0;
  result.maximum = std::isnan(result.l2) ? result.l2 : -extremes[1] + 0.0;
  if (std::isnan(result.l2)) result.mean = result.l2;
  return result;
}

}  // namespace cartwright::grid
