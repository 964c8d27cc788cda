// SPDX-License-Identifier: Apache-2.0
#include "field_dataset.hpp"

#include <fmt/format.h>
#include <cartwright/grid/output/root_only.hpp>
#include <cartwright/rt/error.hpp>

#include <limits>

#include "../run/field_place.hpp"

namespace cartwright::grid {
namespace {

template <class From, class To>
std::vector<std::byte> converted(std::span<const std::byte> from) {
  const std::size_t count = from.size() / sizeof(From);
  std::vector<std::byte> to(count * sizeof(To));
  for (std::size_t i = 0; i < count; ++i) {
    From value;
    std::memcpy(&value, from.data() + i * sizeof(From), sizeof(From));
    const auto result = static_cast<To>(value);
    std::memcpy(to.data() + i * sizeof(To), &result, sizeof(To));
  }
  return to;
}

bool is_narrowed(const FieldBase& field, const DatasetPlan& plan) {
  return field.element().scalar == ScalarType::float64 &&
         plan.element.scalar == ScalarType::float32;
}

/// The finite number that is the farthest from 0: the first one in memory order.
struct Greatest {
  double value = 0;
  long long point = std::numeric_limits<long long>::max();  // in global memory order
};

Greatest greatest_of_owned(const FieldBase& field) {
  const std::vector<std::byte> bytes = owned_bytes(field);
  const Block block = field.block();
  Greatest greatest;
  long long place = -1;
  for (std::size_t i = 0; i < bytes.size() / sizeof(double); ++i) {
    double value = 0;
    std::memcpy(&value, bytes.data() + i * sizeof(double), sizeof(double));
    if (!std::isfinite(value) || std::abs(value) <= std::abs(greatest.value)) continue;
    greatest.value = value;
    place = static_cast<long long>(i) / field.element().components;
  }
  if (place >= 0)
    greatest.point = number_of(block, {block.start[0] + place % block.count[0],
                                       block.start[1] + place / block.count[0] % block.count[1],
                                       block.start[2] + place / (block.count[0] * block.count[1])});
  return greatest;
}

/// What is wrong with storing a field as floats whose greatest number this is; empty: nothing.
std::string misfit(double greatest) {
  using Float = std::numeric_limits<float>;
  const double size = std::abs(greatest);
  if (std::isinf(static_cast<float>(size)))
    return fmt::format("float32 holds numbers up to {:.3g}", Float::max());
  if (size > 0 && size < static_cast<double>(Float::min()))
    return fmt::format("none of its numbers is larger, and float32 holds numbers from {:.3g}",
                       Float::min());
  return {};
}

}  // namespace

DatasetPlan plan_dataset(const FieldBase& field) {
  DatasetPlan plan{field.name(), field.unit(), field.centring(), field.element(), field.block()};
  if (field.positions() != nullptr) plan.positions = field.positions()->name();
  return plan;
}

DatasetPlan plan_dataset(const FieldBase& field, Precision precision) {
  DatasetPlan plan = plan_dataset(field);
  ScalarType& scalar = plan.element.scalar;
  if (scalar == ScalarType::float64 && precision == Precision::float32)
    scalar = ScalarType::float32;
  return plan;
}

std::vector<std::byte> narrowed(std::span<const std::byte> doubles) {
  return converted<double, float>(doubles);
}

std::vector<std::byte> stored_bytes(const FieldBase& field, const DatasetPlan& plan) {
  std::vector<std::byte> bytes = owned_bytes(field);
  return is_narrowed(field, plan) ? narrowed(bytes) : bytes;
}

void require_fit(const comm::Collectives& comm, const GridDescription& grid, const FieldBase& field,
                 const DatasetPlan& plan, long long step) {
  if (!is_narrowed(field, plan)) return;
  const Greatest mine = greatest_of_owned(field);
  const double size = std::abs(mine.value);
  const double greatest = comm.allreduce(size, comm::Operator::maximum);
  if (misfit(greatest).empty()) return;
  const long long point = size == greatest ? mine.point : Greatest{}.point;
  const long long first = comm.allreduce(point, comm::Operator::minimum);
  on_all_ranks(comm, [&] {
    if (point != first) return;
    throw rt::input_error(
        fmt::format("'{}' can't be stored as float32 at step {}: it is {:g} in {}; {}",
                    field.name(), step, mine.value,
                    place_text(grid, field, place_of(field.block(), first)), misfit(mine.value)),
        "Set output.precision: float64, or mend the numbers (the unit, the initial data, the time "
        "step).");
  });
}

}  // namespace cartwright::grid
