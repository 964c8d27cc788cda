// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/output/field_series.hpp>

#include "field_numbers.hpp"
#include "hdf5_file.hpp"

namespace cartwright::grid {

/// How a field is stored: as it is, or with its floating-point numbers in `precision`.
[[nodiscard]] DatasetPlan plan_dataset(const FieldBase& field);
[[nodiscard]] DatasetPlan plan_dataset(const FieldBase& field, Precision precision);

/// Doubles as floats.
[[nodiscard]] std::vector<std::byte> narrowed(std::span<const std::byte> doubles);

/// The owned points as `plan` stores them.
[[nodiscard]] std::vector<std::byte> stored_bytes(const FieldBase& field, const DatasetPlan& plan);

/// Collective. Throws an input error (all ranks) if `plan` stores doubles as floats and the field's
/// greatest number is too large for that, or so small that of the whole field nothing would be
/// left. Infinite values and NaN are stored as they are.
void require_fit(const comm::Collectives& comm, const GridDescription& grid, const FieldBase& field,
                 const DatasetPlan& plan, long long step);

}  // namespace cartwright::grid
