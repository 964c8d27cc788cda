// SPDX-License-Identifier: Apache-2.0
#include <cartwright/grid/error_norm.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cartwright/grid/grid_base.hpp>
#include <cartwright/rt/error.hpp>
#include <cmath>
#include <cstring>
#include <vector>

#include "field_numbers.hpp"
#include "square_sum.hpp"

namespace cartwright::grid {
namespace {

/// Calls `visit(position, number of the point)` for the owned points, in memory order.
template <class Visit>
void visit_points(const FieldBase& field, Visit visit) {
  const GridBase& grid = field.grid();
  const Block block = field.block();
  const double shift = field.centring() == Centring::cell ? 0.5 : 0.0;
  const auto place = [&](int axis, long long i) {
    const auto a = static_cast<std::size_t>(axis);
    if (axis >= block.dimensions) return 0.0;
    return grid.origin(axis) +
           (static_cast<double>(block.start[a] + i) + shift) * grid.spacing(axis);
  };
  long long number = 0;
  for (long long k = 0; k < block.count[2]; ++k)
    for (long long j = 0; j < block.count[1]; ++j)
      for (long long i = 0; i < block.count[0]; ++i)
        visit(std::array<double, 3>{place(0, i), place(1, j), place(2, k)}, number++);
}

}  // namespace

const Formula& formula_of(std::span<const Formula> formulas, int component) {
  if (formulas.size() == 1) return formulas.front();
  if (static_cast<std::size_t>(component) < formulas.size())
    return formulas[static_cast<std::size_t>(component)];
  throw rt::input_error(
      fmt::format("{} formulas are given for a field of more components", formulas.size()),
      "Give one formula for all components, or one for each.", rt::Reach::all_ranks);
}

ErrorNorms error_norms(const FieldBase& field, std::span<const Formula> exact, double time) {
  const std::vector<std::byte> bytes = owned_bytes(field);
  const int components = field.element().components;
  SquareSum squares;
  double greatest = 0.0;
  visit_scalar(field.element().scalar, [&]<class T>(std::type_identity<T>) {
    visit_points(field, [&](const std::array<double, 3>& position, long long point) {
      for (int c = 0; c < components; ++c) {
        T value;
        std::memcpy(&value,
                    bytes.data() + static_cast<std::size_t>(point * components + c) * sizeof(T),
                    sizeof(T));
        const double error =
            std::abs(static_cast<double>(value) - formula_of(exact, c)(position, time));
        greatest = std::max(greatest, error);
        squares.add(error);
      }
    });
  });
  const comm::CartComm& comm = field.grid().comm();
  const auto numbers = static_cast<double>(field.block().global_points() * components);
  ErrorNorms norms;
  norms.l2 = squares.over(comm.communicator()).root_mean(numbers);
  norms.maximum = comm.allreduce(greatest, comm::Operator::maximum);
  if (std::isnan(norms.l2)) norms.maximum = norms.l2;  // comparisons pass over what is no number
  return norms;
}

}  // namespace cartwright::grid
