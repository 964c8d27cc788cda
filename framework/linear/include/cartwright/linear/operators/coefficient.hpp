// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/run/field_base.hpp>

namespace cartwright::linear {

/// Collective. Throws an input error (all ranks) that says where a coefficient isn't above 0, at
/// `least`, or no finite number.
[[noreturn]] void refuse_coefficient(const grid::FieldBase& coefficient, double least);

}  // namespace cartwright::linear
