// SPDX-License-Identifier: Apache-2.0
#include "field_dataset.hpp"

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

}  // namespace

DatasetPlan plan_dataset(const FieldBase& field) {
  return {field.name(), field.unit(), field.centring(), field.element(), field.block()};
}

DatasetPlan plan_dataset(const FieldBase& field, Precision precision) {
  DatasetPlan plan = plan_dataset(field);
  ScalarType& scalar = plan.element.scalar;
  if (scalar == ScalarType::float64 && precision == Precision::float32)
    scalar = ScalarType::float32;
  return plan;
}

std::vector<std::byte> stored_bytes(const FieldBase& field, const DatasetPlan& plan) {
  std::vector<std::byte> bytes = owned_bytes(field);
  const bool narrowed =
      field.element().scalar == ScalarType::float64 && plan.element.scalar == ScalarType::float32;
  return narrowed ? converted<double, float>(bytes) : bytes;
}

}  // namespace cartwright::grid
